// Subscribes a neighborhood and publishes a reading about an entity, with MQTT.js (npm install mqtt).
// usage: node mqtt_js.js PORT DESCRIPTOR-FILE ENTITY
const fs = require('fs')
const mqtt = require('mqtt')

const [port, file, entity] = process.argv.slice(2)
const descriptor = JSON.stringify(JSON.parse(fs.readFileSync(file, 'utf8'))) // on one line

const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5 })

client.on('message', (topic, payload, packet) => {
  const { entity, 'neighborhood-id': near } = packet.properties.userProperties
  console.log(`got ${topic} entity:${entity} neighborhood-id:${near} ${payload}`)
  client.end()
})

client.on('connect', async () => {
  await client.subscribeAsync('traffic/#', {
    qos: 1,
    properties: { userProperties: { neighborhood: descriptor, 'neighborhood-id': 'near' } },
  })
  await client.publishAsync('traffic/now', '{"speed": 57}', { qos: 1, properties: { userProperties: { entity } } })
})

// Publishes once over TLS, with a token: node secured.js URL CA-FILE USER TOKEN TOPIC ENTITY; prints the reason code, or why it did not get in.
const fs = require('fs')
const mqtt = require('mqtt')

const [url, ca, username, password, topic, entity] = process.argv.slice(2)
const client = mqtt.connect(url, {
  protocolVersion: 5, ca: fs.readFileSync(ca), username, password, reconnectPeriod: 0, connectTimeout: 20000
})
client.on('error', error => {
  console.log('error ' + error.code)
  client.end(true)
})
client.on('connect', () => {
  client.publish(topic, 'x', { qos: 1, properties: { userProperties: { entity } } }, (error, packet) => {
    console.log('published ' + (error ? error.code : packet?.reasonCode ?? 0))
    client.end()
  })
})

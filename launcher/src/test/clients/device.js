// A client that does what lines of JSON on standard input tell it, and answers each with a line of JSON; what it receives
// is a line too. Commands: {"do": "listen" | "publish", "id", "door", "with"} and {"do": "leave"}; see Device.java.
'use strict'

const fs = require('fs')
const readline = require('readline')
const mqtt = require('mqtt')

let listener

const say = what => console.log(JSON.stringify(what))

const options = (id, door, clientId = id) => ({
  protocolVersion: 5, clientId, ca: fs.readFileSync(door.certificate), username: id, password: door.token,
  reconnectPeriod: 0, connectTimeout: 20000
})

async function listen ({ id, door, with: wish }) {
  const more = { ...options(id, door), clean: wish.expirySeconds === 0 }
  if (wish.expirySeconds > 0) {
    more.properties = { sessionExpiryInterval: wish.expirySeconds }
  }
  if (wish.will) {
    const { topic, payload, entity } = wish.will
    more.will = { topic, payload, qos: 1, retain: false, properties: { userProperties: { entity } } }
  }
  const client = mqtt.connect(`mqtts://localhost:${door.port}`, more)
  client.on('message', (_topic, payload, packet) => say({ payload: payload.toString(), retain: packet.retain }))
  const code = await new Promise(resolve => {
    client.once('connect', () => resolve(0))
    client.once('error', error => resolve(error.code))
  })
  client.on('error', () => {}) // a connection that is cut
  if (code !== 0) {
    client.end(true)
    return { connack: code }
  }
  listener = client
  await client.subscribeAsync(wish.topicFilter, {
    qos: 1, properties: { userProperties: { neighborhood: wish.neighborhood } }
  })
  return { connack: 0 }
}

async function publish ({ id, door, with: { topic, payload, entity, retain } }) {
  const client = await mqtt.connectAsync(`mqtts://localhost:${door.port}`, options(id, door, id + '-publishes'))
  await client.publishAsync(topic, payload, { qos: 1, retain, properties: { userProperties: { entity } } })
  await client.endAsync()
  return {}
}

async function leave () {
  await listener.endAsync()
  return {}
}

const actions = { listen, publish, leave }

readline.createInterface({ input: process.stdin }).on('line', line => {
  const command = JSON.parse(line)
  actions[command.do](command).then(say, error => say({ error: String(error) }))
})

// Subscribes with one client each, publishes once all are active, prints what comes as a line of JSON each, and ends when
// as many have come as are expected.
// usage: node demo.js PORT '{"subscriptions": [{"client", "filter", "descriptor"?, "id"?}], "publications": [{"topic", "entity", "payload"}], "expected": N}'
'use strict';

const mqtt = require('mqtt');

const port = process.argv[2];
const {subscriptions, publications, expected} = JSON.parse(process.argv[3]);
let received = 0;

async function connect(clientId) {
  return mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {protocolVersion: 5, clientId, reconnectPeriod: 0});
}

async function subscribe({client: clientId, filter, descriptor, id}) {
  const client = await connect(clientId);
  client.on('message', (topic, body, packet) => {
    const {userProperties} = packet.properties;
    console.log(JSON.stringify({client: clientId, topic, payload: body.toString(), userProperties}));
    if (++received === expected) {
      process.exit(0);
    }
  });
  const properties = descriptor ? {userProperties: {neighborhood: descriptor, 'neighborhood-id': id}} : {};
  const [granted] = await client.subscribeAsync(filter, {qos: 1, properties});
  if (granted.qos >= 128) {
    throw new Error(`${clientId} was refused: ${granted.qos}`);
  }
}

async function run() {
  await Promise.all(subscriptions.map(subscribe));
  const publisher = await connect('publisher');
  for (const {topic, entity, payload} of publications) {
    await publisher.publishAsync(topic, payload, {qos: 1, properties: {userProperties: {entity}}});
  }
}

run().catch((error) => {
  console.error(String(error));
  process.exit(1);
});

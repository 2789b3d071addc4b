// Subscribes within a neighborhood, publishes about an entity once that is active, prints what comes as a line of JSON each.
// usage: node client.js PORT FILTER DESCRIPTOR NEIGHBORHOOD_ID TOPIC ENTITY PAYLOAD
'use strict';

const mqtt = require('mqtt');

const [port, filter, descriptor, neighborhoodId, topic, entity, payload] = process.argv.slice(2);
const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {protocolVersion: 5, clientId: 'mqtt-js', reconnectPeriod: 0});

function fail(error) {
  console.error(String(error));
  process.exit(1);
}

client.on('error', fail);
client.on('message', (name, body, packet) => {
  console.log(JSON.stringify({topic: name, payload: body.toString(), userProperties: packet.properties.userProperties}));
  client.end(false, () => process.exit(0));
});
client.on('connect', () => {
  const userProperties = {neighborhood: descriptor, 'neighborhood-id': neighborhoodId};
  client.subscribe(filter, {qos: 1, properties: {userProperties}}, (error, granted) => {
    if (error || granted[0].qos >= 128) {
      fail(error || `refused: ${granted[0].qos}`);
    }
    client.publish(topic, payload, {qos: 1, properties: {userProperties: {entity}}}, (refused) => refused && fail(refused));
  });
});

"""Subscribes a neighborhood and publishes a reading about an entity, with Paho for Python (paho-mqtt 1.6 or 2).

usage: paho_python.py PORT DESCRIPTOR-FILE ENTITY
"""
import json
import sys

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

port, file, entity = int(sys.argv[1]), sys.argv[2], sys.argv[3]
descriptor = json.dumps(json.load(open(file, encoding="utf-8")))  # on one line


def properties(packet, *pairs):
    result = Properties(packet)
    result.UserProperty = list(pairs)
    return result


def on_connect(client, *_):
    client.subscribe(
        "traffic/#",
        options=mqtt.SubscribeOptions(qos=1),
        properties=properties(PacketTypes.SUBSCRIBE, ("neighborhood", descriptor), ("neighborhood-id", "near")),
    )


def on_subscribe(client, _userdata, _mid, reason_codes, *_):
    if reason_codes[0].value >= 0x80:
        sys.exit(f"refused: {reason_codes[0]}")
    client.publish("traffic/now", '{"speed": 57}', qos=1, properties=properties(PacketTypes.PUBLISH, ("entity", entity)))


def on_message(client, _userdata, message):
    told = dict(message.properties.UserProperty)
    print(f"got {message.topic} entity:{told['entity']} neighborhood-id:{told['neighborhood-id']} {message.payload.decode()}")
    client.disconnect()


if hasattr(mqtt, "CallbackAPIVersion"):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
else:
    client = mqtt.Client(protocol=mqtt.MQTTv5)
client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
client.connect("127.0.0.1", port)
client.loop_forever()

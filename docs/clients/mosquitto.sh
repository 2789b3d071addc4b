#!/bin/sh
# Subscribes a neighborhood with mosquitto_sub and publishes a reading about an entity with mosquitto_pub.
# usage: mosquitto.sh PORT DESCRIPTOR-FILE ENTITY
port=$1 descriptor=$(tr '\n' ' ' <"$2") entity=$3

# -d prints "Subscribed" when the SUBACK arrives: from then on the subscription is active
stdbuf -oL mosquitto_sub -V 5 -p "$port" -q 1 -t 'traffic/#' -C 1 -d -F 'got %t %P %p' \
    -D subscribe user-property neighborhood "$descriptor" \
    -D subscribe user-property neighborhood-id near |
    while read -r line; do
        case $line in
        Subscribed*)
            mosquitto_pub -V 5 -p "$port" -q 1 -t traffic/now -m '{"speed": 57}' \
                -D publish user-property entity "$entity"
            ;;
        got*) echo "$line" ;;
        esac
    done

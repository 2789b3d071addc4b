#!/usr/bin/env bash
exec java -Xmx128m -XX:TieredStopAtLevel=1 -cp '/etc/kafka/docker:/opt/kafka/libs/*' org.apache.kafka.tools.BrokerApiVersionsCommand "$@"

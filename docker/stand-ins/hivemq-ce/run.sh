#!/bin/bash
# HIVEMQ_JMX_ENABLED is not looked at: there is no JMX here.
[ -w /opt/hivemq ] || { echo 'ERROR! HiveMQ home folder permissions not correct.' >&2; exit 1; }
exec java -Dhivemq.home=/opt/hivemq -Djava.net.preferIPv4Stack=true $JAVA_OPTS -cp '/opt/hivemq/bin/lib/*' com.hivemq.HiveMQServer

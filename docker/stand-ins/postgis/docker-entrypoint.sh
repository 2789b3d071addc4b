#!/usr/bin/env bash
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    initdb -U "$POSTGRES_USER" --auth-local=trust --auth-host=trust --pwfile=<(echo "$POSTGRES_PASSWORD") >/dev/null
    echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
    pg_ctl -w -o "-c listen_addresses=''" start >/dev/null
    createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
    psql -qU "$POSTGRES_USER" "$POSTGRES_DB" -c 'create extension postgis'
    pg_ctl -m fast -w stop >/dev/null
fi
exec "$@" -c listen_addresses='*'

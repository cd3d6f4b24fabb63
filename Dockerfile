# syntax=docker/dockerfile:1
# The program as it is published on npm, on the Node that the lock file pins, without npm or a compiler.

# Name them by digest to build the same image again: --build-arg BASE_IMAGE=debian@sha256:...
ARG NODE_IMAGE=node:26-slim
ARG BASE_IMAGE=debian:13-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /loci
COPY . .
RUN node scripts/setup.mjs
RUN node scripts/pack.ts /packages program \
 && npm install --global --prefix /program --ignore-scripts /packages/*.tgz \
 && cp -L node_modules/.bin/node /program/bin/node

FROM ${BASE_IMAGE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home loci \
 && install --directory --owner loci --mode 700 /data
COPY --from=build /program /usr/local
ENV NODE_ENV=production HOST=0.0.0.0 PORT=7400 LOCI_DATA_DIR=/data
USER loci
VOLUME /data
EXPOSE 7400
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["loci"]
CMD ["serve"]

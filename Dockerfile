# By its digest: what was tested is what runs. The digest is that of the tag, for every platform.
ARG NODE_IMAGE=node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm run release && mv release/agent-service-*/ /service

# What is installed when it is wanted: --build-arg EMBEDDINGS=1 for the built-in model of searches by meaning, RESTATE=1 for the second
# workflow engine.
ARG EMBEDDINGS=0
ARG RESTATE=0
RUN cd /service && if [ "$EMBEDDINGS" = 1 ]; then node bin/agent-service.js add embeddings; fi && \
    if [ "$RESTATE" = 1 ]; then node bin/agent-service.js add restate; fi

FROM ${NODE_IMAGE}
# Set PUBLIC_URL (docker run -e) to the address under which clients reach the service: it is shown in their snippets, and is
# needed behind a proxy. Without it, the service answers under every name, and snippets show the name that a browser used.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5001 DATA_DIR=/data WORKFLOWS_DIR=/app/workflows SKILLS_DIR=/data/skills
WORKDIR /app
COPY --from=build /service .
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 5001
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals reach the service. With this young generation, a start takes a tenth less CPU and memory.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=16", "bin/agent-service.js"]

# Pinned by digest, so that the tested image is the one that runs. The digest covers all platforms of the tag.
ARG NODE_IMAGE=node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm run release && mv release/agent-service-*/ /service

# Optional parts: --build-arg EMBEDDINGS=1 installs the built-in model for semantic search, RESTATE=1 the SDK for Restate, the second
# workflow engine.
ARG EMBEDDINGS=0
ARG RESTATE=0
RUN cd /service && if [ "$EMBEDDINGS" = 1 ]; then node bin/agent-service.js add embeddings; fi && \
    if [ "$RESTATE" = 1 ]; then node bin/agent-service.js add restate; fi

FROM ${NODE_IMAGE}
# Set PUBLIC_URL (docker run -e) to the URL that clients use: their snippets show it, and it is required behind a proxy. Without
# it, the service accepts every host name, and snippets show the one that the browser used.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5001 DATA_DIR=/data WORKFLOWS_DIR=/app/workflows SKILLS_DIR=/data/skills
WORKDIR /app
COPY --from=build /service .
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 5001
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm, so that signals reach the service. This size of the young generation saves a tenth of CPU and memory at start.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=16", "bin/agent-service.js"]

# Build with the development dependencies, run without them.
# By its digest: what was tested is what runs. The digest is that of the tag, for every platform.
ARG NODE_IMAGE=node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY libs/no-phone-numbers libs/no-phone-numbers
COPY tools/package.json tools/package-lock.json tools/
COPY libs/admin-ui/package.json libs/admin-ui/package-lock.json libs/admin-ui/
COPY libs/app-views/package.json libs/app-views/package-lock.json libs/app-views/
RUN npm ci --ignore-scripts && npm ci --ignore-scripts --prefix tools && npm ci --ignore-scripts --prefix libs/admin-ui && \
    npm ci --ignore-scripts --prefix libs/app-views
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY libs/no-phone-numbers libs/no-phone-numbers
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# The model of searches by meaning, when the image is built with --build-arg EMBEDDINGS=1.
FROM ${NODE_IMAGE} AS embeddings
ARG EMBEDDINGS=0
WORKDIR /app
COPY .npmrc ./
COPY embeddings/package.json embeddings/package-lock.json embeddings/
RUN if [ "$EMBEDDINGS" = 1 ]; then npm ci --prefix embeddings --ignore-scripts; fi

FROM ${NODE_IMAGE}
# Set PUBLIC_URL (docker run -e) to the address under which clients reach the service: it is shown in their snippets, and is
# needed behind a proxy. Without it, the service answers under every name, and snippets show the name that a browser used.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5001 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/libs/admin-ui/dist libs/admin-ui/dist
COPY --from=build /app/libs/app-views/dist libs/app-views/dist
COPY libs/no-phone-numbers libs/no-phone-numbers
COPY --from=embeddings /app/embeddings embeddings
COPY package.json ./
COPY bin/command.js bin/launch.js bin/start.js bin/
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 5001
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals reach the service.
CMD ["node", "bin/start.js"]

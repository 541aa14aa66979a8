# Build with the development dependencies, run without them.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs/admin-ui/package.json libs/admin-ui/package.json
RUN npm ci
COPY . .
RUN npm run build

FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY libs/admin-ui/package.json libs/admin-ui/package.json
RUN npm ci --omit=dev --omit=optional --workspaces=false

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5001 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/libs/admin-ui/dist libs/admin-ui/dist
COPY package.json ./
COPY bin bin
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 5001
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: signals reach the service.
CMD ["node", "bin/start.js"]

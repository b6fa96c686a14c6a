# One BlueBear server with its data in /data. README and docker-compose.yml show how to run it.
# Images are named by digest: a tag is another image next month (docs/hosting.md says how to go on).
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
ARG PYTHON_IMAGE=python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b

FROM ${NODE_IMAGE} AS page
WORKDIR /app/clients/web
COPY clients/web/package.json clients/web/package-lock.json clients/web/.npmrc ./
RUN npm ci --omit=dev
COPY clients/web ./
RUN npm run build

FROM ${PYTHON_IMAGE}

ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PYTHONUNBUFFERED=1

WORKDIR /app

# Dependencies first: they change less often than the code, and this layer is then kept.
COPY requirements.txt ./
RUN pip install --require-hashes -r requirements.txt

COPY pyproject.toml setup.py README.md LICENSE NOTICE ./
COPY bluebear bluebear
COPY clients clients
COPY protocol protocol
COPY rules rules
COPY server server
COPY --from=page /app/server/static server/static
RUN pip install --no-deps --no-build-isolation .

# A fixed number, so that a folder of the host can be given to this user.
RUN useradd --system --uid 10765 --no-create-home --shell /usr/sbin/nologin bluebear \
    && mkdir /data && chown bluebear /data
USER bluebear
# Away from the sources: what runs is what was installed.
WORKDIR /data

ENV BLUEBEAR_DATA=/data
VOLUME /data
EXPOSE 8765

HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]

ENTRYPOINT ["bluebear"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8765"]

# syntax=docker/dockerfile:1
# Fracas as a container: the service alone, not as root, with its fights in /data and packs of your own in /packs.
#
#   docker build -t fracas .
#   docker run -p 127.0.0.1:8844:8844 -v fracas-data:/data fracas
#
# What has run of this file: buildah built it and ran the image, over a Debian with Python in place of PYTHON_IMAGE.
# No Docker engine has built it yet, and no machine but amd64.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build
WORKDIR /src
COPY . .
# The versions that the tests run with; the extra `fast` writes JSON faster.
RUN python3 -m venv /build \
 && /build/bin/pip install --no-cache-dir --constraint constraints.txt build \
 && /build/bin/python -m build --wheel --outdir /wheels . \
 && python3 -m venv /opt/fracas \
 && wheel=$(echo /wheels/*.whl) \
 && /opt/fracas/bin/pip install --no-cache-dir --constraint constraints.txt "${wheel}[fast]" \
 && /opt/fracas/bin/fracas compile

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Fracas" \
      org.opencontainers.image.description="Combat resolution service for virtual tabletops" \
      org.opencontainers.image.licenses="MIT AND CC0-1.0"
RUN groupadd --gid 8844 fracas \
 && useradd --uid 8844 --gid fracas --home-dir /data --no-create-home --shell /usr/sbin/nologin fracas \
 && install -d -o fracas -g fracas /data /packs
COPY --from=build /opt/fracas /opt/fracas
# Inside a container only a published port leads here: which addresses of the host it has is for `docker run` to say.
ENV PATH=/opt/fracas/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    FRACAS_HOST=0.0.0.0 \
    FRACAS_DATABASE_URL=/data/encounters.db
USER 8844:8844
WORKDIR /data
VOLUME ["/data", "/packs"]
EXPOSE 8844
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/fracas/bin/python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('FRACAS_PORT', '8844') + '/health', timeout=4)"]
ENTRYPOINT ["fracas"]
CMD ["serve"]

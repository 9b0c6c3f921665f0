# Untested: written where no container engine was at hand. What can be checked without one is in
# tests/start/test_docker.py (the files it copies, its commands, its health check); please report what is wrong.
#
#   docker build -t signet .
#
# The extra `local` is part of the pins: it brings pg_dump 18, with which copies are made before a migration.

FROM python:3.11-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/signet
COPY requirements/play.txt requirements/
RUN /opt/signet/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/play.txt
COPY pyproject.toml README.md LICENSE NOTICE vendor.toml ./
COPY app app
COPY migrations migrations
COPY static static
COPY templates templates
RUN /opt/signet/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 signet \
 && useradd --uid 10001 --gid signet --no-create-home --shell /usr/sbin/nologin signet \
 && install -d -o signet -g signet -m 0700 /backups
COPY --from=build /opt/signet /opt/signet
ENV PATH=/opt/signet/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SIGNET_DATA=/tmp/signet \
    SIGNET_BACKUPS=/backups
USER signet
WORKDIR /tmp
VOLUME /backups
EXPOSE 8420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8420/health/ready', timeout=5)"]
ENTRYPOINT ["signet"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8420", "--workers", "2"]

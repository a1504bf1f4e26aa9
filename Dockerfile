# syntax=docker/dockerfile:1
# One static binary, and nothing else: no shell, no package manager, no root.
#
#   docker build -t scheduler .
#   docker build -t scheduler:ffmpeg --target with-ffmpeg .    # with previews of films
#
# Time zones are compiled in. The certificates of authorities are read from the file that
# SSL_CERT_FILE names; mount another one there to trust authorities of your own.
#
# scripts/pin-images.py adds to each base the digest that its tag stands for; a release is made of
# bases with digests only.
ARG RUST_IMAGE=rust:1.95-alpine
ARG ALPINE_IMAGE=alpine:3.22

FROM ${RUST_IMAGE} AS build
RUN apk add --no-cache build-base ca-certificates
WORKDIR /src
COPY . .
# Alpine's target links everything into the binary.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --locked --profile dist --package scheduler-cli \
    && mkdir -p /out/data /out/tmp \
    && cp target/dist/scheduler /out/scheduler \
    && cp /etc/ssl/certs/ca-certificates.crt /out/ca-certificates.crt

# With ffmpeg and ffprobe beside it: films are measured wholly and get previews.
FROM ${ALPINE_IMAGE} AS with-ffmpeg
RUN apk add --no-cache ca-certificates ffmpeg
COPY --from=build /out/scheduler /scheduler
COPY --from=build --chown=65532:65532 --chmod=0700 /out/data /data
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    SCHEDULER_DATA=/data \
    SCHEDULER_LISTEN=0.0.0.0:8080 \
    SCHEDULER_LOG_FORMAT=json
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/scheduler", "health"]
ENTRYPOINT ["/scheduler"]
CMD ["serve"]

FROM scratch
COPY --from=build /out/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/scheduler /scheduler
# Their owner is the only one who may look into the data; the demo needs a temporary folder.
COPY --from=build --chown=65532:65532 --chmod=0700 /out/data /data
COPY --from=build --chown=65532:65532 --chmod=0700 /out/tmp /tmp
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    SCHEDULER_DATA=/data \
    SCHEDULER_LISTEN=0.0.0.0:8080 \
    SCHEDULER_LOG_FORMAT=json
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/scheduler", "health"]
ENTRYPOINT ["/scheduler"]
CMD ["serve"]

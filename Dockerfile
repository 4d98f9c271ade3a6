# A small image that plays on the CPU, and a larger one with NVIDIA's libraries.
#
#   docker build -t losange .                      docker run -i losange go
#   docker build -t losange:cuda --target cuda .   docker run -i --gpus all losange:cuda hex
#   docker run -p 127.0.0.1:8551:8551 losange serve --listen 0.0.0.0:8551 --allow-remote

FROM rust:1.95-slim-bookworm AS build
WORKDIR /losange
COPY Cargo.toml Cargo.lock ./
COPY src src
COPY models models
COPY python python
COPY benches benches
COPY tests/fixtures/bench.txt tests/fixtures/
RUN cargo build --profile dist --locked --bin losange

FROM python:3.12-slim-bookworm AS onnxruntime-cpu
COPY scripts/get-onnxruntime.sh /
RUN XDG_DATA_HOME=/data /get-onnxruntime.sh cpu

FROM python:3.12-slim-bookworm AS onnxruntime-cuda
COPY scripts/get-onnxruntime.sh /
RUN XDG_DATA_HOME=/data /get-onnxruntime.sh cuda

# The driver comes from the host (--gpus), all else is in the image.
FROM debian:bookworm-slim AS cuda
RUN useradd --system losange
ENV XDG_DATA_HOME=/usr/local/share ORT_DISABLE_TELEMETRY=1
COPY --from=onnxruntime-cuda /data/losange /usr/local/share/losange
COPY --from=build /losange/target/dist/losange /usr/local/bin/losange
USER losange
ENTRYPOINT ["losange"]

# Last, so that a plain `docker build` makes it.
FROM debian:bookworm-slim AS cpu
RUN useradd --system losange
ENV XDG_DATA_HOME=/usr/local/share ORT_DISABLE_TELEMETRY=1
COPY --from=onnxruntime-cpu /data/losange /usr/local/share/losange
COPY --from=build /losange/target/dist/losange /usr/local/bin/losange
USER losange
ENTRYPOINT ["losange"]

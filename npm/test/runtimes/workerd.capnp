using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "vectors", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "vectors")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "./core_bg.wasm", wasm = embed "core_bg.wasm"),
  ],
);

self.onconnect = (event) => event.ports[0].postMessage(1);
self.onfetch = () => 1;
fetch('http://127.0.0.1:__PORT__/f');
importScripts('http://127.0.0.1:__PORT__/i');
self.postMessage?.(1);

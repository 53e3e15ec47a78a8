let count = 0;
onconnect = (event) => event.ports[0].postMessage(++count);

// A program: opens connections to a port, sends each the same bytes, prints how many are open, and keeps them
// open until told to stop.
import { once } from 'node:events'
import { connect } from 'node:net'

const [port, count, start] = process.argv.slice(2)
const atOnce = 500
let open = 0
for (let first = 0; first < Number(count); first += atOnce) {
  const sockets = Array.from({ length: Math.min(atOnce, Number(count) - first) }, () => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    if (start !== undefined && start !== '') socket.write(start)
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  open += sockets.length
}
process.stdout.write(`${open}\n`)
process.stdin.resume()

// A program: opens WebSockets that subscribe to the graph of a token. Prints "open" when all are subscribed,
// and "told" each time a change has reached all of them; keeps them open until told to stop.
import { once } from 'node:events'
import { realtimePath } from '@loci/contract/realtime'
import WebSocket from 'ws'

const [url = '', token, count] = process.argv.slice(2)
const atOnce = 100
let [open, told] = [0, 0]

async function listen(): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${realtimePath}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  socket.on('message', (data) => hear(JSON.parse(data.toString())))
  socket.on('close', () => process.exit(1))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe_to_graph_changes', payload: {} }))
}

function hear(message: { type: string; seq?: number }): void {
  if (message.type === 'subscribed' && ++open === Number(count)) process.stdout.write('open\n')
  if (message.seq !== undefined && ++told % Number(count) === 0) process.stdout.write('told\n')
}

for (let first = 0; first < Number(count); first += atOnce)
  await Promise.all(Array.from({ length: Math.min(atOnce, Number(count) - first) }, listen))
process.stdin.resume()

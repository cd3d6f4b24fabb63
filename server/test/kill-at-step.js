// Preloaded into a server. A request with the header `kill-at-step: n` makes the process kill itself before its n-th
// step from then on. A step is a statement, also one of background work, or the beginning of an answer, which tells its
// number in the header `step`.
import { Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { DatabaseSync, StatementSync } from 'node:sqlite'

let killedAt = Number.POSITIVE_INFINITY
let steps = 0

function step() {
  steps += 1
  if (steps === killedAt) process.kill(process.pid, 'SIGKILL')
}

function before(prototype, name, listener) {
  const original = prototype[name]
  prototype[name] = function (...args) {
    listener(this, args)
    return Reflect.apply(original, this, args)
  }
}

for (const name of ['run', 'all', 'get', 'iterate']) before(StatementSync.prototype, name, step)
before(DatabaseSync.prototype, 'exec', step)
// What PostgreSQL is sent: a statement ends with the message Execute, or is one message Query.
before(Socket.prototype, 'write', (_, [data]) => {
  if (Buffer.isBuffer(data) && (data[0] === 0x45 || data[0] === 0x51)) step()
})
before(ServerResponse.prototype, 'writeHead', (response) => {
  step()
  response.setHeader('step', steps)
})
before(Server.prototype, 'emit', (_, [event, request]) => {
  if (event !== 'request' || request.headers['kill-at-step'] === undefined) return
  steps = 0
  killedAt = Number(request.headers['kill-at-step'])
})

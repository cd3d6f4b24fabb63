/** Complete code that receives an event and verifies its signature, without other packages. */
export const verifySnippets = [
  {
    id: 'node',
    name: 'Node.js',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')

function isGenuine(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  return String(headers['webhook-signature']).split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (!isGenuine(request.headers, body)) return response.writeHead(400).end()
  const event = JSON.parse(body)
  console.log(event.type, event.data.change)
  response.writeHead(204).end()
}).listen(Number(process.env.PORT ?? 3000))
`,
  },
  {
    id: 'python',
    name: 'Python',
    code: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    timestamp = headers["webhook-timestamp"] or "0"
    if abs(time.time() - float(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = (headers["webhook-signature"] or "").split(" ")
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in given)

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not is_genuine(self.headers, body):
            return self.answer(400)
        event = json.loads(body)
        print(event["type"], event["data"])
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

HTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
`,
  },
] as const

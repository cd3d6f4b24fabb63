import { createServer, type Socket } from 'node:net'

export type ReceivedMail = {
  from: string
  to: string[]
  /** Names in lower case; folded lines joined. */
  headers: Record<string, string>
  text: string
  html: string
}

/** The double's reply to a command instead of the usual one; undefined: the usual one; 'hang': none. */
export type SmtpReply = string | undefined

/** An in-memory mail server that implements enough of SMTP (RFC 5321) for a client to deliver. */
export async function startSmtpDouble() {
  const mails: ReceivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const double = {
    mails,
    /** Every line that clients sent, without the mails. */
    commands,
    /** Called before each reply; `.` is the end of a mail. */
    reply: (_command: string): SmtpReply => undefined,
  }
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    talk(socket, double)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(double, {
    port,
    url: `smtp://127.0.0.1:${port}`,
    /** Drops all connections. */
    drop(): void {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  })
}

export type SmtpDouble = Awaited<ReturnType<typeof startSmtpDouble>>

const usual: Record<string, string> = {
  EHLO: '250-double\r\n250 AUTH PLAIN',
  AUTH: '235 Welcome',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go ahead',
  '.': '250 Taken',
  RSET: '250 OK',
  QUIT: '221 Bye',
}

function talk(socket: Socket, double: Pick<SmtpDouble, 'mails' | 'commands' | 'reply'>): void {
  let pending = ''
  let envelope = { from: '', to: [] as string[] }
  let data: string[] | undefined
  const answer = (command: string) => {
    const reply = double.reply(command) ?? usual[command.split(' ')[0]?.toUpperCase() ?? ''] ?? '500 What?'
    if (reply !== 'hang') socket.write(`${reply}\r\n`)
    return reply
  }
  const hear = (line: string) => {
    if (data !== undefined) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''))
      const mail = { ...envelope, ...parseMail(data.join('\r\n')) }
      data = undefined
      if (answer('.').startsWith('2')) double.mails.push(mail)
      return
    }
    double.commands.push(line)
    const reply = answer(line)
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
    if (line.startsWith('MAIL')) envelope = { from: address, to: [] }
    if (line.startsWith('RCPT')) envelope.to.push(address)
    if (line === 'DATA' && reply.startsWith('354')) data = []
    if (line === 'QUIT') socket.end()
  }
  socket.write('220 double ESMTP\r\n')
  socket.on('data', (piece) => {
    const lines = (pending + piece.toString('latin1')).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })
}

function parseMail(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = parsePart(source)
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined) throw new Error('The mail has one part only')
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n/, '')))
  const bodyOf = (type: string) => {
    const part = parts.find((candidate) => candidate.headers['content-type']?.startsWith(type))
    if (part === undefined) throw new Error(`The mail has no part of ${type}`)
    return decode(part)
  }
  return { headers, text: bodyOf('text/plain'), html: bodyOf('text/html') }
}

type Part = { headers: Record<string, string>; body: string }

function parsePart(source: string): Part {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { headers: Object.fromEntries(headers), body: source.slice(end + 4) }
}

function decode({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString().replaceAll('\r\n', '\n')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}

import { connect } from 'node:tls'
import { createRestClient } from '@loci/client/rest'
import { type Config, publicAddress } from '../../ground/config/config.ts'
import { isLoopback } from '../../ground/lib/networks.ts'
import { rootReason } from '../../ground/lib/root-reason.ts'
import { dayMs, secondMs } from '../../ground/lib/time.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const patienceMs = 10 * secondMs
const certificateDaysMin = 14
/** Of a network for documentation (RFC 5737), from which no request comes. */
const forgedAddress = '203.0.113.77'

/** Calls the server at its public address, as everybody else does. */
export async function examineAddress(config: Config, running: string | undefined): Promise<Finding[]> {
  const address = config.publicUrl ?? running ?? publicAddress(config, config.port)
  const reached = await examineReach(address, config)
  const { protocol } = new URL(address)
  return protocol === 'https:' ? [...reached, await examineCertificate(new URL(address))] : reached
}

async function examineReach(address: string, config: Config): Promise<Finding[]> {
  const rest = createRestClient({
    baseUrl: address,
    headers: () => ({ 'x-forwarded-for': forgedAddress }),
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(patienceMs) }),
  })
  try {
    await rest.ready()
    return [ok('address', `${address} answers.`), examineSeen(await rest.seenCaller(), address, config)]
  } catch (error) {
    const cure = 'Check that the server runs, and the name, the proxy and the firewall in front of it.'
    return [failed('address', `${address} does not answer as it should: ${rootReason(error)}`, cure)]
  }
}

/** What the server saw of our call, which claimed to come from elsewhere. */
function examineSeen(
  seen: { address: string; protocol: string; host: string },
  address: string,
  { trustProxy }: Config,
): Finding {
  const { protocol, host, hostname } = new URL(address)
  if (seen.address === forgedAddress)
    return failed(
      'proxy',
      'Any caller can pretend to come from another address, which goes around the limits on sign-in.',
      'Set LOCI_TRUST_PROXY to the number of proxies in front (0 for none), and let the first one replace X-Forwarded-For.',
    )
  if (`${seen.protocol}:` !== protocol || seen.host !== host)
    return failed(
      'proxy',
      `The server was called as ${seen.protocol}://${seen.host}, not as ${address}.`,
      trustProxy === false
        ? 'Set LOCI_TRUST_PROXY to the number of proxies in front.'
        : 'Let the proxy send Host and X-Forwarded-Proto (docs/install.md).',
    )
  if (isLoopback(seen.address) && !isLoopback(hostname))
    return warning(
      'proxy',
      'All callers seem to come from this machine, so limits per address meet everybody at once.',
      'Set LOCI_TRUST_PROXY to the number of proxies in front, unless this call went around them.',
    )
  return ok('proxy', `Our own address arrives as ${seen.address}.`)
}

async function examineCertificate({ hostname, port }: URL): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>()
  const cure = 'Renew the certificate of the proxy.'
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname }, () => {
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs)
    const says = `The certificate is valid for ${days} more days.`
    resolve(days < certificateDaysMin ? warning('certificate', says, cure) : ok('certificate', says))
    socket.end()
  })
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('no answer within 10 seconds')))
  socket.on('error', ({ message }) => resolve(failed('certificate', `It is refused: ${message}`, cure)))
  return promise
}

import type { MadePasskey, PasskeyProof } from '@loci/contract/second-factors'

type Options = Record<string, unknown>

const library = () => import('@simplewebauthn/browser')

/** Browsers support passkeys only for host names, over TLS or on localhost. */
export const passkeyHint = (): string | undefined => {
  if (/^[\d.]+$|:/.test(location.hostname)) {
    const local = `http://localhost${location.port && `:${location.port}`}`
    return `Passkeys need an address with a name. On this machine, open ${local}.`
  }
  return 'PublicKeyCredential' in window ? undefined : 'This browser has no passkeys for this address.'
}

/** Has the browser create a passkey. */
export async function makePasskey(options: Options): Promise<MadePasskey> {
  const { startRegistration } = await library()
  return (await startRegistration({ optionsJSON: options as never })) as MadePasskey
}

/** Has the browser use a passkey; `quietly` offers it in a field's autofill list instead of a dialog. */
export async function usePasskey(options: Options, quietly = false): Promise<PasskeyProof> {
  const { startAuthentication } = await library()
  return (await startAuthentication({
    optionsJSON: options as never,
    useBrowserAutofill: quietly,
  })) as PasskeyProof
}

/** Whether passkeys can be offered in a field's autofill list. */
export async function canOfferQuietly(): Promise<boolean> {
  if (passkeyHint() !== undefined) return false
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
}

/** Ends a pending offer in a field's autofill list. */
export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await library()
  WebAuthnAbortService.cancelCeremony()
}

/** Whether the user closed the browser's dialog or let it time out, which is no error. */
export function isDismissed(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}

/** What went wrong in the browser, if the user can do something about it. */
export function findPasskeyProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'InvalidStateError') return undefined
  return 'This device holds a passkey of yours already. Use another device, or remove that passkey first.'
}

import { deviceTokensMax } from '@loci/contract/auth'

const tokensKey = 'device_tokens'

/** The tokens that earlier sign-ins gave this browser, newest first. They survive signing out. */
export function readDeviceTokens(): string[] {
  const tokens = localStorage.getItem(tokensKey)?.split(' ') ?? []
  return tokens.filter((token) => token !== '').slice(0, deviceTokensMax)
}

export function storeDeviceToken(token: string): void {
  const others = readDeviceTokens().filter((other) => other !== token)
  localStorage.setItem(tokensKey, [token, ...others].slice(0, deviceTokensMax).join(' '))
}

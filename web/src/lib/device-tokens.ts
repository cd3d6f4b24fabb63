import { deviceTokensMax } from '@loci/contract/auth'

const tokensKey = 'device_tokens'

/** What the server gave this browser at earlier sign-ins, newest first. They stay when people sign out. */
export function readDeviceTokens(): string[] {
  const tokens = localStorage.getItem(tokensKey)?.split(' ') ?? []
  return tokens.filter((token) => token !== '').slice(0, deviceTokensMax)
}

export function storeDeviceToken(token: string): void {
  const others = readDeviceTokens().filter((other) => other !== token)
  localStorage.setItem(tokensKey, [token, ...others].slice(0, deviceTokensMax).join(' '))
}

import type { MailContent } from '../../mails/mail-content.ts'

type Words = { subject: string; done: string; more?: string }

/** @param address of this server */
const notice = (address: string, { subject, done, more }: Words): MailContent => ({
  subject,
  paragraphs: [
    done,
    ...(more === undefined ? [] : [more]),
    'If it was not you, change your password at once and look through your sessions.',
  ],
  action: { label: 'Open the settings', url: `${address}/settings#security` },
  footnote: 'You get this mail because it concerns the security of your account.',
})

export const totpOn = (address: string) =>
  notice(address, {
    subject: 'An authenticator app was set up for Loci',
    done: 'An authenticator app was set up for your account. Signing in with your password now asks for a code.',
  })

export const totpOff = (address: string) =>
  notice(address, {
    subject: 'Your authenticator app was turned off for Loci',
    done: 'The authenticator app of your account was turned off. Its codes sign nobody in any more.',
  })

export const passkeyAdded = (address: string, name: string) =>
  notice(address, {
    subject: 'A passkey was added to your Loci account',
    done: `The passkey “${name}” was added to your account. Whoever has it can sign in as you.`,
  })

export const passkeyRemoved = (address: string, name: string) =>
  notice(address, {
    subject: 'A passkey was removed from your Loci account',
    done: `The passkey “${name}” was removed from your account. It signs nobody in any more.`,
  })

export const recoveryCodesRolled = (address: string) =>
  notice(address, {
    subject: 'New recovery codes for your Loci account',
    done: 'New recovery codes were made for your account. The earlier ones have ended.',
  })

export const factorsReset = (address: string) =>
  notice(address, {
    subject: 'Your second factor for Loci was removed',
    done: 'The person who runs the server removed your authenticator app, passkeys and recovery codes, and ended your sessions.',
    more: 'Your password alone signs you in now. Set a second factor up again in the settings.',
  })

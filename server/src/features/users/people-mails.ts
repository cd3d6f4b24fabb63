import type { MailContent } from '../mails/mail-content.ts'

export function passwordReset(url: string): MailContent {
  return {
    subject: 'Set a new password for Loci',
    paragraphs: [
      'Somebody requested a new password for your account.',
      'The link works once, within an hour.',
    ],
    action: { label: 'Set a new password', url },
    footnote: 'If it was not you, ignore this mail: without this link, your password does not change.',
  }
}

export function passwordChanged(address: string): MailContent {
  return {
    subject: 'Your Loci password was changed',
    paragraphs: [
      'The password of your account was changed, and every other session was ended.',
      'If it was not you, set a new one at once.',
    ],
    action: { label: 'Set a new password', url: `${address}/forgot-password` },
    footnote: 'You get this mail because it concerns the security of your account.',
  }
}

export function emailVerification(url: string): MailContent {
  return {
    subject: 'Confirm your email address',
    paragraphs: [
      'Welcome to Loci. Please confirm that this is your email address.',
      'The link works for seven days.',
    ],
    action: { label: 'Confirm email address', url },
    footnote: 'You get this mail because somebody signed up with this address. If it was not you, ignore it.',
  }
}

export function invitation({
  account,
  from,
  url,
}: {
  account: string
  from: string
  url: string
}): MailContent {
  return {
    subject: `${from} invites you to Loci`,
    paragraphs: [
      `${from} invites you to the account of ${account} on Loci, the memory that agents share.`,
      'The link works once, within seven days.',
    ],
    action: { label: 'Accept the invitation', url },
    footnote: 'If you do not know the sender, ignore this mail.',
  }
}

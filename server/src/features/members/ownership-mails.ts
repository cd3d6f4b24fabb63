import type { Member } from '@loci/contract/members'
import { publicAddress } from '../../ground/config/config.ts'
import type { Context } from '../../tenancy/context.ts'
import type { MailContent } from '../mails/mail-content.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { nameAccounts } from '../users/memberships.ts'

type Handover = { owner: Member; heir: Member }

/** Mails both that the account has a new owner, if mail is set up. Runs in the caller's transaction. */
export async function mailHandover(ctx: Context, accountId: number, people: Handover): Promise<void> {
  const account = (await nameAccounts(ctx.db, [accountId])).get(accountId) ?? 'Loci'
  for (const { email: to } of [people.owner, people.heir]) {
    const content = handover(account, people, publicAddress(ctx.config))
    await queueMail(ctx, { accountId, id: ctx.newId('mail'), to, content })
  }
}

const nameOf = ({ firstName, lastName, email }: Member) => `${firstName} ${lastName} (${email})`

function handover(account: string, { owner, heir }: Handover, address: string): MailContent {
  return {
    subject: `${heir.firstName} ${heir.lastName} now owns a Loci account`,
    paragraphs: [
      `${nameOf(owner)} made ${nameOf(heir)} the owner of the account ${account}.`,
      'The new owner manages people and plan, and can delete the account. The previous owner is now an admin.',
    ],
    action: { label: 'Open the account', url: `${address}/settings` },
    footnote: 'You get this mail because it concerns the security of your account.',
  }
}

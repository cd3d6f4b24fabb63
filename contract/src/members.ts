import { z } from 'zod'
import { Email, passwordMax } from './auth.ts'
import { Role } from './rights.ts'
import { IsoDateTime, text } from './text.ts'

/** Days that an invitation may be accepted. */
export const invitationDays = 7

export const Member = z.object({
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  joinedAt: IsoDateTime,
})
export type Member = z.infer<typeof Member>

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  expiresAt: IsoDateTime,
  createdAt: IsoDateTime,
})
export type Invitation = z.infer<typeof Invitation>

export const MembersResponse = z.object({
  members: z.array(Member),
  /** Those that nobody has accepted yet; empty for who may not invite. */
  invitations: z.array(Invitation),
})
export type MembersResponse = z.infer<typeof MembersResponse>

export const InviteMember = z.object({ email: Email, role: Role })
export type InviteMember = z.infer<typeof InviteMember>

/** The address is shown once. It is mailed, too, where mail is set up. */
export const NewInvitation = z.object({ invitation: Invitation, url: z.string(), mailed: z.boolean() })
export type NewInvitation = z.infer<typeof NewInvitation>

export const UpdateMember = z.object({ role: Role })
export const MemberResponse = z.object({ member: Member })

/** Asks for the owner's password. */
export const TransferOwnership = z.object({ password: text(1, passwordMax, 'Password') })
export type TransferOwnership = z.infer<typeof TransferOwnership>
/** The new owner. `billingFollows` is false when the payment provider could not be told whom to write to. */
export const OwnershipTransferred = z.object({ member: Member, billingFollows: z.boolean() })
export type OwnershipTransferred = z.infer<typeof OwnershipTransferred>

/** What an invitation is for, as whoever has the link sees it. */
export const InvitationDetails = z.object({ account: z.string(), email: z.string(), role: Role })
export type InvitationDetails = z.infer<typeof InvitationDetails>

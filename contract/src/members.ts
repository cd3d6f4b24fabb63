import { z } from 'zod'
import { Email, passwordMax } from './auth.ts'
import { Role } from './rights.ts'
import { IsoDateTime, text } from './text.ts'

/** Days until an invitation expires. */
export const invitationDays = 7

export const Member = z.object({
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  joinedAt: IsoDateTime,
  /** Whether they have a second factor; in the list, for callers who manage members. */
  secondFactor: z.boolean().optional(),
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
  /** Pending invitations; empty for callers who may not invite. */
  invitations: z.array(Invitation),
})
export type MembersResponse = z.infer<typeof MembersResponse>

export const InviteMember = z.object({ email: Email, role: Role })
export type InviteMember = z.infer<typeof InviteMember>

/** The URL is shown once. It is also mailed if mail is set up. */
export const NewInvitation = z.object({ invitation: Invitation, url: z.string(), mailed: z.boolean() })
export type NewInvitation = z.infer<typeof NewInvitation>

export const UpdateMember = z.object({ role: Role })
export const MemberResponse = z.object({ member: Member })

/** Requires the owner's password. */
export const TransferOwnership = z.object({ password: text(1, passwordMax, 'Password') })
export type TransferOwnership = z.infer<typeof TransferOwnership>
/** The new owner. `billingFollows` is false if the payment provider could not be given the new contact. */
export const OwnershipTransferred = z.object({ member: Member, billingFollows: z.boolean() })
export type OwnershipTransferred = z.infer<typeof OwnershipTransferred>

/** An invitation as anyone with the link sees it. */
export const InvitationDetails = z.object({ account: z.string(), email: z.string(), role: Role })
export type InvitationDetails = z.infer<typeof InvitationDetails>

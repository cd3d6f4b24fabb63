import { z } from 'zod'
import { Role } from './rights.ts'
import { IsoDateTime, nonBlankText, QueryBoolean, text } from './text.ts'

export const passwordMin = 8
/** A bound, so that nobody makes the server hash megabytes. */
export const passwordMax = 1_024

/** How an email is stored and looked up: the same however an `é` is put together (NFC), and in any case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** Normalised; the pattern is the sign-up screen's. */
export const Email = text(1, 320, 'Email address')
  .transform(normalizeEmail)
  .pipe(z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address'))

export const NewPassword = text(1, passwordMax, 'Password').min(
  passwordMin,
  `Password must be at least ${passwordMin} characters long`,
)

/** What a link carries that opens what it is for once. */
export const LinkToken = text(1, 128, 'Link')

export const Register = z.object({
  email: Email,
  password: NewPassword,
  firstName: nonBlankText(128, 'First name').transform((value) => value.trim()),
  lastName: nonBlankText(128, 'Last name').transform((value) => value.trim()),
  /** Of the link that gives away memory without an account: the new account is then the one with that memory. */
  claim: LinkToken.optional(),
  /** Of an invitation: the new user is then also a member of that account. */
  invitation: LinkToken.optional(),
})
export type Register = z.infer<typeof Register>

/** As many people may share a device. */
export const deviceTokensMax = 10

export const Login = z.object({
  email: text(1, 320, 'Email address').transform(normalizeEmail),
  password: text(1, passwordMax, 'Password'),
  /** From earlier sign-ins on this device: with them, failures of others do not slow this one down. */
  deviceTokens: z.array(z.string().max(128)).max(deviceTokensMax).optional(),
})
export type Login = z.infer<typeof Login>

export const ClaimMemory = z.object({ claim: LinkToken })
export type ClaimMemory = z.infer<typeof ClaimMemory>

/** Whether agents of this machine have stored something that belongs to nobody. */
export const UnclaimedMemory = z.object({ waiting: z.boolean() })

/** What came into the account; what it already had stays as it is. */
export const ClaimedMemory = z.object({
  entities: z.number().int(),
  observations: z.number().int(),
  relations: z.number().int(),
})
export type ClaimedMemory = z.infer<typeof ClaimedMemory>

/** Names the account that a call is about, by its id; for people who are members of several. */
export const accountHeader = 'loci-account'

/** An account that a user is a member of. */
export const Membership = z.object({ id: z.string(), name: z.string(), role: Role })
export type Membership = z.infer<typeof Membership>

const AccountName = nonBlankText(128, 'Name').transform((value) => value.trim())
export const RenameAccount = z.object({ name: AccountName })
export type RenameAccount = z.infer<typeof RenameAccount>
export const AccountResponse = z.object({ account: Membership })

export const User = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** The personal API key; null when the caller came with another API key. */
  apiKey: z.string().nullable(),
  /** Whether the user opened the link that was sent there. */
  emailVerified: z.boolean(),
  /** Whether the password alone does not sign them in. */
  secondFactor: z.boolean(),
  /** Whether this account asks every member for one. Who has none can do nothing but set one up. */
  secondFactorRequired: z.boolean(),
  role: Role,
  /** The account that this call is about. */
  accountId: z.string(),
  /** All accounts of the user, the one they joined first at the head. */
  accounts: z.array(Membership),
  createdAt: IsoDateTime,
  /** Number of the newest change of the graph: realtime events `since` it miss nothing that is read later. */
  lastSeq: z.number().int(),
})
export type User = z.infer<typeof User>

export const SessionResponse = z.object({
  token: z.string(),
  user: User,
  /** To be kept by the device and sent with the next sign-in. It opens nothing. */
  deviceToken: z.string(),
})
export type SessionResponse = z.infer<typeof SessionResponse>

export const PersonalKeyResponse = z.object({ apiKey: z.string() })

export const UpdateProfile = Register.pick({ firstName: true, lastName: true })
export type UpdateProfile = z.infer<typeof UpdateProfile>

/** Ends every other session of the user. */
export const ChangePassword = z.object({
  currentPassword: text(1, passwordMax, 'Password'),
  newPassword: NewPassword,
  /** Also replaces the personal API key, which works on otherwise, as all API keys do. */
  rollApiKey: z.boolean().default(false),
})
export type ChangePassword = z.infer<typeof ChangePassword>

export const DeleteAccount = z.object({ password: text(1, passwordMax, 'Password') })

export const Session = z.object({
  id: z.string(),
  userAgent: z.string(),
  /** That it began from, wide enough to name no household; null where the server does not keep it. */
  network: z.string().nullable(),
  current: z.boolean(),
  createdAt: IsoDateTime,
  lastSeenAt: IsoDateTime,
  expiresAt: IsoDateTime,
})
export type Session = z.infer<typeof Session>
export const SessionsResponse = z.object({ sessions: z.array(Session) })

/** Which sessions to end: all, or all but this one. */
export const EndSessionsQuery = z.object({ others: QueryBoolean.default(false) })

import { z } from 'zod'
import { Role } from './rights.ts'
import { IsoDateTime, nameText, QueryBoolean, text } from './text.ts'

export const passwordMin = 8
/** Bounded so that nobody can make the server hash megabytes. */
export const passwordMax = 1_024

/** Normalises an email for storage and lookup: Unicode NFC and lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** Normalised; the pattern is also used by the sign-up screen. */
export const Email = text(1, 320, 'Email address')
  .transform(normalizeEmail)
  .pipe(z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address'))

export const NewPassword = text(1, passwordMax, 'Password').min(
  passwordMin,
  `Password must be at least ${passwordMin} characters long`,
)

/** The single-use token in a link. */
export const LinkToken = text(1, 128, 'Link')

export const Register = z.object({
  email: Email,
  password: NewPassword,
  firstName: nameText(128, 'First name').transform((value) => value.trim()),
  lastName: nameText(128, 'Last name').transform((value) => value.trim()),
  /** From a link that hands over memory without an account: the new account takes that memory. */
  claim: LinkToken.optional(),
  /** From an invitation: the new user also becomes a member of that account. */
  invitation: LinkToken.optional(),
})
export type Register = z.infer<typeof Register>

/** Most people who can share a device. */
export const deviceTokensMax = 10

export const Login = z.object({
  email: text(1, 320, 'Email address').transform(normalizeEmail),
  password: text(1, passwordMax, 'Password'),
  /**
   * From earlier sign-ins on this device: with them, other people's failed attempts do not slow this
   * one down.
   */
  deviceTokens: z.array(z.string().max(128)).max(deviceTokensMax).optional(),
})
export type Login = z.infer<typeof Login>

export const ClaimMemory = z.object({ claim: LinkToken })
export type ClaimMemory = z.infer<typeof ClaimMemory>

/** Whether agents on this machine have stored memory that belongs to no account. */
export const UnclaimedMemory = z.object({ waiting: z.boolean() })

/** What was added to the account; existing entries are kept. */
export const ClaimedMemory = z.object({
  entities: z.number().int(),
  observations: z.number().int(),
  relations: z.number().int(),
})
export type ClaimedMemory = z.infer<typeof ClaimedMemory>

/** Names the account of a call by its id, for people who are members of several. */
export const accountHeader = 'loci-account'

/** An account that a user is a member of. */
export const Membership = z.object({ id: z.string(), name: z.string(), role: Role })
export type Membership = z.infer<typeof Membership>

const AccountName = nameText(128, 'Name').transform((value) => value.trim())
export const RenameAccount = z.object({ name: AccountName })
export type RenameAccount = z.infer<typeof RenameAccount>
export const AccountResponse = z.object({ account: Membership })

export const User = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** The personal API key; null if the caller used another API key. */
  apiKey: z.string().nullable(),
  /** Whether the user opened the link sent to this address. */
  emailVerified: z.boolean(),
  /** Whether sign-in requires a second factor besides the password. */
  secondFactor: z.boolean(),
  /**
   * Whether this account requires a second factor of every member. Without one, a member can only set
   * one up.
   */
  secondFactorRequired: z.boolean(),
  /** Whether the personal key is not shown because an account of theirs requires a second factor that they lack. */
  apiKeyWithheld: z.boolean(),
  role: Role,
  /** The account of this call. */
  accountId: z.string(),
  /** All accounts of the user, the oldest membership first. */
  accounts: z.array(Membership),
  createdAt: IsoDateTime,
  /**
   * Number of the newest change of the graph: realtime events `since` it cover every change after this
   * response.
   */
  lastSeq: z.number().int(),
})
export type User = z.infer<typeof User>

export const SessionResponse = z.object({
  token: z.string(),
  user: User,
  /** Store it on the device and send it with the next sign-in. It grants no access. */
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
  /** Also replaces the personal API key. Without this it keeps working; other API keys always do. */
  rollApiKey: z.boolean().default(false),
})
export type ChangePassword = z.infer<typeof ChangePassword>

export const DeleteAccount = z.object({ password: text(1, passwordMax, 'Password') })

export const Session = z.object({
  id: z.string(),
  userAgent: z.string(),
  /**
   * Network that the session was started from, too wide to identify a household; null if the server
   * does not keep it.
   */
  network: z.string().nullable(),
  current: z.boolean(),
  createdAt: IsoDateTime,
  lastSeenAt: IsoDateTime,
  expiresAt: IsoDateTime,
})
export type Session = z.infer<typeof Session>
export const SessionsResponse = z.object({ sessions: z.array(Session) })

/** Which sessions to end: all, or all except the current one. */
export const EndSessionsQuery = z.object({ others: QueryBoolean.default(false) })

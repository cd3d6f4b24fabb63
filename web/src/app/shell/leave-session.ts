import { logOut } from '../../lib/session.ts'
import { mayDiscard } from '../../lib/unsaved.ts'

/** Logs out, unless something half-written is to stay. */
export async function leaveSession(): Promise<void> {
  if (await mayDiscard()) await logOut()
}

import { logOut } from '../../lib/session.ts'
import { mayDiscard } from '../../lib/unsaved.ts'

/** Logs out, unless the user chooses to keep unsaved text. */
export async function leaveSession(): Promise<void> {
  if (await mayDiscard()) await logOut()
}

/** Runs as soon as it is there, which on a slow network is seconds before the app itself: asks for the code of the screen. */
import { loadStyled } from './app/missing-styles.ts'
import { apartScreens, loadShell, screenAt, shellScreens } from './app/screens.ts'
import { readToken } from './lib/token.ts'

const { pathname } = window.location
const token = readToken()
const apart = screenAt(apartScreens, pathname)
// The app asks again for what fails here, and says so.
const ignore = () => {}

const screen = screenAt(shellScreens, pathname)
const code = token === undefined ? [apartScreens['/login']] : [loadShell, screen]
for (const load of apart ? [apart] : code) if (load) loadStyled(load).catch(ignore)

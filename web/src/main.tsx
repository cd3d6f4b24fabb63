import './app/theme/reset.css'
import '@fontsource-variable/geist'
import '@fontsource-variable/geist-mono'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './ui/tokens.css'
import './app/theme/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { router } from './app/router.tsx'

// Until the first screen is there, the document's own loading screen stays. A redirect changes the address, which the
// router follows by itself only once it is rendered.
const unfollow = router.history.subscribe(router.load)
void router.load().finally(() => {
  unfollow()
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})

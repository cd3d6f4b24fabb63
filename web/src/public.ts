import '@fontsource-variable/geist'
import '@fontsource-variable/geist-mono'
import './ui/tokens.css'
import './features/public/styles/base.css'
import './features/public/styles/landing.css'
import './features/public/styles/pricing.css'
import { bringToLife } from './features/public/live/bring-to-life.ts'

bringToLife(document)

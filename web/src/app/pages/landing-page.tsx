import { Closing } from '../../features/public/closing.tsx'
import { Features } from '../../features/public/features.tsx'
import { Frame } from '../../features/public/frame.tsx'
import { Hero } from '../../features/public/hero.tsx'
import { Steps } from '../../features/public/steps.tsx'
import { StoryFigure } from '../../features/public/story-figure.tsx'
import { Testimonial } from '../../features/public/testimonial.tsx'

export function LandingPage() {
  return (
    <Frame page="landing">
      <Hero />
      <Features />
      <StoryFigure />
      <Steps />
      <Testimonial />
      <Closing />
    </Frame>
  )
}

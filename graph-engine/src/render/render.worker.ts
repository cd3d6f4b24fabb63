import { RenderServer } from './render-server.ts'

new RenderServer(self as unknown as ConstructorParameters<typeof RenderServer>[0])

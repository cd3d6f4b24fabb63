import { createRestClient } from '@loci/client/rest'
import { launchChromium } from '../e2e/chromium.ts'
const url = 'http://127.0.0.1:7531'
// args: name:nodes:scheme:WxH[:path][:action]
const browser = await launchChromium()
for (const arg of process.argv.slice(2)) {
  const [name, nodes, scheme, size, path = '', action = ''] = arg.split('|')
  const [width, height] = size!.split('x').map(Number)
  const { token } = await createRestClient({ baseUrl: url }).login({ body: { email: `n${nodes}@example.com`, password: 'demo-password' } })
  const context = await browser.newContext({ viewport: { width: width!, height: height! }, colorScheme: scheme as 'dark', reducedMotion: 'reduce', hasTouch: width! < 500, isMobile: width! < 500 })
  await context.addInitScript((t) => { localStorage.setItem('auth_token', t);
    const seen: any[] = []; Object.assign(window, { longTasks: seen })
    new PerformanceObserver((l) => { for (const { startTime, duration } of l.getEntries()) seen.push([Math.round(startTime), Math.round(duration)]) }).observe({ type: 'longtask', buffered: true })
  }, token)
  const page = await context.newPage()
  page.on('console', (m) => { if (m.type() === 'error') console.log(name, m.text()) })
  await page.goto(`${url}${path || `/graph?limit=${nodes}`}`)
  if ((path || '/graph').startsWith('/graph')) {
    await page.waitForFunction(() => document.querySelectorAll('canvas')[0]?.style.opacity === '1', undefined, { timeout: 120000 })
    const first = await page.evaluate(() => Math.round(performance.now()))
    await page.waitForFunction(() => (window as any).__graph?.settled(), undefined, { timeout: 120000 })
    await page.waitForTimeout(2500)
    console.log(name, 'first picture', first, 'long tasks', JSON.stringify(await page.evaluate(() => (window as any).longTasks.sort((a: any, b: any) => b[1] - a[1]).slice(0, 6))))
  } else await page.waitForTimeout(2500)
  if (action) { await (await import('/tmp/pl/actions.ts')).default[action](page); await page.waitForTimeout(1200) }
  await page.screenshot({ path: `/tmp/pl/${name}.png` })
  await context.close()
}
await browser.close()

// Preloaded into a server: its clock jumps by up to a day, forwards and back, at random moments.
const { now } = Date
const dayMs = 24 * 60 * 60_000
let offsetMs = 0

function jump() {
  offsetMs = (Math.random() - 0.5) * 2 * dayMs
  setTimeout(jump, Math.random() * 200).unref()
}
jump()

Date.now = () => Math.floor(now() + offsetMs)

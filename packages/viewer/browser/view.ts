import { connectSignIn } from './sign-in.ts'
import { connectKeys } from './keys.ts'
import { connectTimeline } from './timeline.ts'

/** The token does not stay in the address, also where a cookie lets in already. */
function forgetToken(): void {
  if (location.hash.startsWith('#t='))
    history.replaceState(null, '', location.pathname + location.search)
}

const entrance = document.querySelector('tb-entrance')
if (entrance) void connectSignIn(entrance)
else {
  forgetToken()
  addEventListener('hashchange', forgetToken)
}
const timeline = document.querySelector<HTMLElement>('tb-timeline')
connectKeys(timeline ? connectTimeline(timeline) : undefined)

import { connectSignIn } from './sign-in.ts'
import { connectKeys } from './keys.ts'
import { connectEnter } from './press-enter.ts'
import { followQuestions } from './questions.ts'
import { followSources } from './sources.ts'
import { connectTimeline } from './timeline.ts'

/** Removes the token from the address, also if a cookie already gives access. */
function forgetToken(): void {
  if (location.hash.startsWith('#t='))
    history.replaceState(null, '', location.pathname + location.search)
}

const signIn = document.querySelector('tb-sign-in')
if (signIn) void connectSignIn(signIn)
else {
  forgetToken()
  addEventListener('hashchange', forgetToken)
}
const timeline = document.querySelector<HTMLElement>('tb-timeline')
connectEnter()
connectKeys(timeline ? connectTimeline(timeline) : undefined)
// A conversation that may grow follows its events with the same stream.
const isFollowed = timeline?.dataset['follow'] !== undefined
const isTold =
  document.body.dataset['open'] !== undefined ||
  document.querySelector('[data-part=sources]') !== null
if (isTold && !isFollowed) {
  const source = new EventSource('follow')
  followQuestions(source)
  followSources(source, () => location.reload())
}

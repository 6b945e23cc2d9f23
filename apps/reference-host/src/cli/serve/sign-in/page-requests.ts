/** Bytes of a form that is not one of a person. */
const MAX_FORM_BYTES = 16 * 1024

/** Returns the form of a request, or why it is refused: only a page of the same origin can send one. */
export async function checkPost(request: Request): Promise<URLSearchParams | Response> {
  const { origin } = new URL(request.url)
  const site = request.headers.get('sec-fetch-site') ?? 'same-origin'
  if (request.headers.get('origin') !== origin || site !== 'same-origin')
    return new Response('Requests of other pages are not allowed.\n', { status: 403 })
  const [type] = (request.headers.get('content-type') ?? '').split(';')
  if (type?.trim() !== 'application/x-www-form-urlencoded')
    return new Response('Expected application/x-www-form-urlencoded.\n', { status: 415 })
  const text = await request.text()
  if (text.length > MAX_FORM_BYTES) return new Response('The form is too large.\n', { status: 413 })
  return new URLSearchParams(text)
}

/** Returns the path of a page of this service, with its query. Anything else becomes the page of the sign-in. */
export function readOwnAddress(value: unknown): string {
  const own = 'http://own.invalid'
  // A browser reads "\" as "/", and leaves out tabs and line breaks.
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value))
    return '/sign-in'
  const url = URL.parse(value, own)
  // A path such as "/.//other.example" loses its dots, and would begin with two slashes.
  const isOwn = url?.origin === own && !url.pathname.startsWith('//')
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/sign-in'
}

import { Buffer } from 'node:buffer'
import { resolveProgram } from '@toolblocks/local-executor'
import { escapeUnprintable } from '@toolblocks/protocol/internal'

/** A text for a person's desktop. */
export interface DesktopText {
  /** One line of the host, which does not begin with a dash. */
  title: string
  /** Lines without control characters. They may contain text from outside. */
  body: string
}

/** How a program is started that tells a person. No text is part of a program text or an option. */
export interface NotificationPlan {
  program: string
  args: readonly string[]
  /** What the program reads on standard input. */
  input: string
  /** The host's variables without which the program does not find the desktop. */
  variables: readonly string[]
}

/** Returns how a text is shown on the desktop of a platform: by notify-send, by osascript on macOS, and by Windows PowerShell on Windows. */
export function planDesktop(
  { title, body }: DesktopText,
  platform: NodeJS.Platform = process.platform,
): NotificationPlan {
  const program = getDesktopProgram(platform)
  switch (program) {
    case 'osascript':
      // The texts are arguments of the script.
      return {
        program,
        args: [...APPLE_SCRIPT.flatMap((line) => ['-e', line]), title, body],
        input: '',
        variables: [],
      }
    case 'powershell.exe': {
      const script = Buffer.from(WINDOWS_SCRIPT, 'utf16le').toString('base64')
      return {
        program,
        args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', script],
        // Windows reads standard input in the code page of the system.
        input: `${escapeBeyondAscii(JSON.stringify({ title, body }))}\n`,
        variables: [],
      }
    }
    case 'notify-send':
      return {
        program,
        args: ['--app-name=toolblocks', '--', title, escapeMarkup(body)],
        input: '',
        variables: ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY'],
      }
  }
}

type DesktopProgram = 'notify-send' | 'osascript' | 'powershell.exe'

/** Returns the name of the program that shows notifications. */
export function getDesktopProgram(platform: NodeJS.Platform = process.platform): DesktopProgram {
  if (platform === 'darwin') return 'osascript'
  return platform === 'win32' ? 'powershell.exe' : 'notify-send'
}

/** Returns why notifications cannot be shown here and what to do about it; `undefined` if they can, as far as is known. */
export function findDesktopProblem(
  root: string,
  {
    platform = process.platform,
    environment = process.env,
  }: { platform?: NodeJS.Platform; environment?: NodeJS.ProcessEnv } = {},
): { message: string; fix: string } | undefined {
  const program = getDesktopProgram(platform)
  if (resolveProgram([program], { root, environment }) === undefined) {
    const fix =
      program === 'notify-send'
        ? 'install notify-send (libnotify-bin on Debian and Ubuntu, libnotify elsewhere), or set notify to a command of yours'
        : 'set notify to a command of yours'
    return { message: `desktop notifications: the program ${program} does not exist here`, fix }
  }
  const { DBUS_SESSION_BUS_ADDRESS: bus, XDG_RUNTIME_DIR: runtime } = environment
  return program !== 'notify-send' || bus || runtime
    ? undefined
    : {
        message:
          'desktop notifications: this session has no desktop (DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are not set)',
        fix: 'run the command in a desktop session, or set notify to a command of yours',
      }
}

const APPLE_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
] as const

/** The texts become nodes of the document, so no character in them is markup. */
const WINDOWS_SCRIPT = `
$ErrorActionPreference = 'Stop'
$said = [Console]::In.ReadLine() | ConvertFrom-Json
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $xml.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($xml.CreateTextNode($said.title))
$null = $texts.Item(1).AppendChild($xml.CreateTextNode($said.body))
$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($toast)
`

/** notify-send reads escapes with a backslash, and desktops read the body as markup. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function escapeBeyondAscii(json: string): string {
  return escapeUnprintable(json).replaceAll(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The style of the conversation pages, besides that of results: one column for people and models, with the turns beside it. */
export const VIEW_STYLE = `
body{font-size:16px;line-height:1.6}
main{max-width:76rem;padding:1.25rem 1.5rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 .4rem;text-wrap:balance}
.tb-nav{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;justify-content:space-between;padding:.5rem 1.5rem;border-bottom:1px solid var(--tb-line);position:sticky;top:0;background:var(--tb-back);z-index:2;font-size:.95rem}
.tb-nav form{display:flex;gap:.4rem}.tb-nav input{max-width:45vw}
.tb-skip{position:absolute;left:-99rem}.tb-skip:focus{position:static}
.tb-page{max-width:52rem;margin:0 auto}
.tb-list{list-style:none;padding:0;margin:1rem 0}.tb-list li{padding:.7rem 0;border-bottom:1px solid var(--tb-line)}.tb-list a{font-weight:600;text-decoration:none;font-size:1.05rem}.tb-list a:hover{text-decoration:underline}.tb-list p{margin:.1rem 0 0}.tb-list .tb-facts{font-size:.875rem}
.tb-intro{border-bottom:1px solid var(--tb-line);padding-bottom:.75rem;margin-bottom:1rem}.tb-intro p{margin:.15rem 0;font-size:.9rem}
.tb-ways{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}.tb-keys{margin-left:auto}
.tb-reading{display:block}
.tb-column{max-width:50rem;margin:0 auto;min-width:0}
.tb-outline{font-size:.875rem;margin-bottom:1rem}.tb-outline>summary{font-weight:600;padding:.25rem 0}.tb-outline ol{margin:0;padding-left:2.4rem}.tb-outline li{padding:.12rem 0;color:var(--tb-dim)}.tb-outline li a{color:var(--tb-ink);text-decoration:none}.tb-outline a:hover{text-decoration:underline}.tb-outline .tb-facts{font-size:.8rem;white-space:nowrap}.tb-outline [aria-current]{font-weight:600;color:var(--tb-link)}
.tb-places>a{margin-right:1rem;font-size:.875rem}
tb-timeline{display:block}
.tb-intro progress{width:6rem;vertical-align:middle}.tb-warnings{border-left:3px solid var(--tb-yellow);padding-left:.75rem;margin:.4rem 0;font-size:.9rem}.tb-warnings ul{margin:.25rem 0;padding-left:1.1rem}
.tb-event{scroll-margin-top:4rem;margin:.5rem 0;border-radius:8px;min-width:0}
.tb-place{display:block;height:0;overflow:hidden}
.tb-inner{margin:.5rem 0;font-size:.95rem}
.tb-meta{float:right;margin:0 0 0 1rem;font-size:.75rem;line-height:1.6rem;color:var(--tb-dim)}.tb-meta a{color:inherit;text-decoration:none}.tb-meta a:hover{text-decoration:underline}.tb-took{margin-right:.5rem}
.tb-who{font-size:.8rem;font-weight:600;margin:0 0 .2rem;color:var(--tb-dim)}.tb-person>.tb-who{color:var(--tb-blue)}
.tb-person{background:var(--tb-soft);border-left:3px solid var(--tb-blue);padding:.7rem 1rem .8rem;margin:2.25rem 0 1.25rem}
.tb-person pre{font:inherit;white-space:pre-wrap}
.tb-said{padding:.1rem 0}
.tb-markdown>p{margin:.6rem 0}.tb-markdown>:first-child{margin-top:0}.tb-markdown li{margin:.15rem 0}.tb-markdown ul,.tb-markdown ol{padding-left:1.5rem;margin:.5rem 0}.tb-markdown p code,.tb-markdown li code{background:var(--tb-soft);padding:.1em .3em;border-radius:4px}
summary{list-style:none}summary::-webkit-details-marker{display:none}summary::before{content:"▸";display:inline-block;width:1rem;color:var(--tb-dim)}details[open]>summary::before{content:"▾"}
.tb-call,.tb-quiet{margin:.15rem 0}
.tb-call>details,.tb-quiet>details{border:1px solid transparent;border-radius:8px}
.tb-call>details[open],.tb-quiet>details[open]{border-color:var(--tb-line);margin:.5rem 0}
.tb-call>details>summary,.tb-quiet>details>summary{display:flex;align-items:baseline;padding:.2rem .5rem;font-size:.9rem;border-radius:8px}.tb-quiet>details>summary{padding-block:.05rem}
.tb-call>details>summary:hover,.tb-quiet>details>summary:hover{background:var(--tb-soft)}
.tb-line-of{display:flex;gap:.45rem;align-items:baseline;min-width:0;flex:1;white-space:nowrap;overflow:hidden}
.tb-tool{font-weight:600;overflow:hidden;text-overflow:ellipsis;flex:none;max-width:50%}
.tb-telling{font:13px/1.45 ui-monospace,monospace;overflow:hidden;text-overflow:ellipsis;flex:0 1 auto;min-width:3rem}
.tb-line-of>.tb-facts{margin-left:auto;padding-left:.5rem;font-size:.8rem;overflow:hidden;text-overflow:ellipsis;flex:0 1 auto;min-width:2rem}
.tb-outcome{flex:none;width:1rem;text-align:center;color:var(--tb-green)}.tb-outcome.tb-is-failed,.tb-outcome.tb-is-timeout,.tb-outcome.tb-is-unanswered,.tb-outcome.tb-is-denied{color:var(--tb-red)}.tb-outcome.tb-is-cancelled,.tb-outcome.tb-is-none{color:var(--tb-dim)}
.tb-body>.tb-meta{float:none;text-align:right;margin:0 0 -.4rem}.tb-body .tb-text>pre,.tb-body>pre{background:var(--tb-soft);border-radius:6px;padding:.4rem .75rem}.tb-body .tb-scroll .tb-text>pre{background:none;padding:0}
.tb-person .tb-scroll,.tb-inner .tb-scroll{border:0}.tb-person .tb-scroll>.tb-text{padding:0}
.tb-body{padding:.25rem 1rem .75rem 1.5rem;min-width:0;font-size:.9rem}
.tb-body>.tb-result{margin:.4rem 0}
.tb-quiet>details>summary,.tb-thought>summary,.tb-many>summary{color:var(--tb-dim);font-size:.8rem}.tb-many{margin:.15rem 0}.tb-many>summary{display:flex;align-items:baseline;padding:.1rem .5rem}.tb-many .tb-line-of{display:block;overflow:hidden;text-overflow:ellipsis}.tb-many[open]{border-left:2px solid var(--tb-line);margin-left:.9rem}.tb-many[open]>summary{margin-left:-1rem}
.tb-quiet pre{font-size:12px}
.tb-thought{margin:.2rem 0 .4rem}.tb-thought>summary{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.tb-thought[open]{border-left:2px solid var(--tb-line);padding-left:1rem;color:var(--tb-dim)}.tb-thought[open]>summary{margin-left:-1rem}.tb-thought[open]>summary>.tb-facts{display:none}
.tb-rest{margin:.5rem 0}.tb-rest>summary,.tb-led>summary{font-size:.85rem;color:var(--tb-dim)}.tb-led{margin-top:.5rem}.tb-led[open]{border-left:2px solid var(--tb-line);padding-left:1rem}.tb-led[open]>summary{margin-left:-1rem}
.tb-step{border-left:3px solid var(--tb-yellow);padding-left:.75rem;margin:.4rem 0}
.tb-todos{list-style:none;padding:0;margin:.4rem 0}.tb-todo-done{color:var(--tb-dim);text-decoration:line-through}.tb-todo-doing{font-weight:600}
.tb-uncounted .tb-number,.tb-uncounted .tb-hunk{display:none}
.tb-turn{display:flex;align-items:center;gap:.75rem;color:var(--tb-dim);font-size:.75rem;margin:2rem 0 -1rem}.tb-turn::before,.tb-turn::after{content:"";flex:1;border-top:1px solid var(--tb-line)}
.tb-nothing{display:none}
.tb-damaged{border-left:3px solid var(--tb-red);padding-left:.75rem}
.tb-undone{border:1px dashed var(--tb-line);background:var(--tb-soft);padding-left:.5rem}.tb-mark-line{margin:0}
.tb-here{outline:2px solid var(--tb-link);outline-offset:2px}
.tb-model{border-left:3px solid var(--tb-violet);padding-left:.75rem;margin:.6rem 0;min-width:0}
.tb-waits .tb-main{display:inline-block;padding:.35rem 1.1rem;border-radius:6px;background:var(--tb-link);color:var(--tb-back);font-weight:600;text-decoration:none}
.tb-marks{padding-left:1.1rem;margin:.25rem 0}
.tb-mark{border:1px solid var(--tb-yellow);color:var(--tb-yellow);border-radius:4px;padding:0 .3rem;font-size:.8rem}
.tb-when{white-space:nowrap}
.tb-links{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
.tb-outcome.tb-is-waiting{color:var(--tb-yellow);font-weight:700}
.tb-state{border-left:3px solid var(--tb-yellow);background:var(--tb-soft);padding:.5rem .75rem;margin:.5rem 0}.tb-state p{margin:.1rem 0}.tb-state.tb-is-answered{border-color:var(--tb-green)}.tb-state.tb-is-declined{border-color:var(--tb-red)}.tb-state.tb-is-expired,.tb-state.tb-is-withdrawn{border-color:var(--tb-line)}
.tb-decision h2{font-size:1.1rem;margin:1.5rem 0 .4rem}.tb-decision .tb-scroll{max-height:none}.tb-decision pre{white-space:pre-wrap}.tb-decision .tb-copy{position:static;display:block;margin:.3rem .5rem .3rem auto}
.tb-place-of{margin:.75rem 0;font-size:.9rem}.tb-place-of>div{display:flex;gap:.5rem;padding:.1rem 0}.tb-place-of dt{flex:none;width:7rem;color:var(--tb-dim)}.tb-place-of dd{margin:0;min-width:0}
.tb-schema{font-size:12px;color:var(--tb-dim)}
.tb-form{border:1px solid var(--tb-line);border-radius:8px;padding:.25rem 1rem;margin:.5rem 0}.tb-form p{margin:.5rem 0}.tb-form label,.tb-form legend{font-weight:600}.tb-form legend{padding:0}.tb-form .tb-facts{font-size:.875rem}
.tb-field{border:0;margin:.75rem 0;padding:0;min-width:0}.tb-field>p{margin:.15rem 0}
.tb-form input[type=text],.tb-form textarea,.tb-form select{font:inherit;color:inherit;background:var(--tb-back);border:1px solid var(--tb-dim);border-radius:6px;box-sizing:border-box;width:100%;padding:.5rem .6rem;margin:.2rem 0}.tb-form textarea:not(.tb-typed){font:14px/1.5 ui-monospace,monospace}.tb-typed{display:block;resize:vertical;field-sizing:content;min-height:2.5rem;max-height:50vh}.tb-form [aria-invalid=true]{border-color:var(--tb-red)}
.tb-form .tb-option{display:flex;gap:.6rem;align-items:baseline;padding:.45rem 0;font-weight:400;cursor:pointer}.tb-option input{flex:none;transform:scale(1.2)}.tb-option span{min-width:0}
.tb-form button{padding:.55rem 1.1rem;border-radius:6px;border-color:var(--tb-dim);cursor:pointer}.tb-form button:disabled{opacity:.55;cursor:not-allowed}.tb-form .tb-main{background:var(--tb-link);border-color:var(--tb-link);color:var(--tb-back);font-weight:600}
.tb-no{border-style:dashed}
.tb-wide{overflow-x:auto;margin:.5rem 0}.tb-use{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.35}.tb-use th,.tb-use td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--tb-line);text-align:right;vertical-align:top;font-variant-numeric:tabular-nums}.tb-use th,.tb-use td{overflow-wrap:normal}.tb-use thead th{color:var(--tb-dim);font-weight:400;font-size:.8rem}.tb-use tr>:first-child{text-align:left;overflow-wrap:anywhere;min-width:5rem}.tb-use tr>:last-child{padding-right:0}.tb-use tbody th{font-weight:600}.tb-use .tb-words{text-align:left;overflow-wrap:anywhere}.tb-use th .tb-words{display:block}.tb-page [aria-current]{font-weight:600;color:inherit;text-decoration:none}
mark{background:color-mix(in srgb,var(--tb-yellow) 30%,transparent);color:inherit;border-radius:3px;padding:0 .1em}
kbd{border:1px solid var(--tb-line);border-radius:4px;padding:0 .3rem;font-size:.8rem}
.tb-ready .tb-pages{display:none}
@media(min-width:64rem){.tb-reading{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2.5rem}.tb-places{position:sticky;top:4rem;align-self:start}.tb-outline{overflow-y:auto;scrollbar-width:thin;max-height:calc(100vh - 5rem)}.tb-places .tb-outline{max-height:calc(100vh - 7rem);margin-top:.25rem}.tb-reading>.tb-outline{position:sticky;top:4rem;align-self:start}.tb-outline::details-content{content-visibility:visible;display:block}.tb-outline>summary::before{display:none}.tb-column{margin:0}}
@media(min-width:64rem){main:has(.tb-model){max-width:96rem}main:has(.tb-model) .tb-column{max-width:none}.tb-column:has(.tb-model) .tb-said,.tb-column:has(.tb-model) .tb-person{max-width:50rem}.tb-call>details>.tb-body:has(>.tb-model){display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);column-gap:1.5rem;align-items:start}.tb-call>details>.tb-body:has(>.tb-model)>*{grid-column:1;min-width:0}.tb-call>details>.tb-body>.tb-model{grid-column:2!important;grid-row:1/span 40;margin-top:0}}
@media(max-width:63.99rem){.tb-places{position:fixed;left:0;right:0;bottom:0;z-index:2;display:flex;align-items:center;gap:.5rem;padding:.15rem 1rem calc(.15rem + env(safe-area-inset-bottom));background:var(--tb-back);border-top:1px solid var(--tb-line)}.tb-places>a,.tb-places summary{padding:.55rem .75rem;margin:0;font-size:.95rem}.tb-places .tb-outline{margin:0 0 0 auto}.tb-places nav{position:absolute;left:0;right:0;bottom:100%;max-height:60vh;overflow-y:auto;overscroll-behavior:contain;padding:.5rem 1rem;background:var(--tb-back);border-top:1px solid var(--tb-line)}.tb-places li{padding:.3rem 0}.tb-reading{padding-bottom:2rem}}
@media(max-width:40rem){body{font-size:15px}.tb-use,.tb-use thead th{font-size:.75rem}.tb-use th,.tb-use td{padding-right:.4rem}.tb-event{scroll-margin-top:6.25rem}main{padding:.75rem .9rem 3rem}.tb-nav{padding:.5rem .9rem}.tb-keys,.tb-took{display:none}h1{font-size:1.3rem}.tb-person{padding:.6rem .75rem;margin:1.5rem 0 1rem}.tb-body>.tb-meta{float:none;text-align:right;margin:0 0 -.4rem}.tb-body .tb-text>pre,.tb-body>pre{background:var(--tb-soft);border-radius:6px;padding:.4rem .75rem}.tb-body .tb-scroll .tb-text>pre{background:none;padding:0}
.tb-person .tb-scroll,.tb-inner .tb-scroll{border:0}.tb-person .tb-scroll>.tb-text{padding:0}
.tb-body{padding:.25rem .5rem .6rem .75rem}.tb-call>details>summary,.tb-quiet>details>summary{padding:.3rem .15rem}.tb-line-of>.tb-facts{max-width:42%}.tb-line-of{gap:.35rem}.tb-place-of dt{width:6.25rem}.tb-form{padding:.1rem .75rem}.tb-form button{width:100%;padding:.7rem}}
@media print{.tb-nav,.tb-outline,.tb-places,.tb-ways{display:none}}
`.replaceAll('\n', '')

/** The style of each colour theme. */
export const SCHEMES = {
  auto: '',
  light: ':root{color-scheme:light}',
  dark: ':root{color-scheme:dark}',
} as const

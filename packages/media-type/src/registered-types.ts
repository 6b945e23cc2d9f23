/*!
From mime-db:

(The MIT License)

Copyright (c) 2014 Jonathan Ong <me@jongleberry.com>
Copyright (c) 2015-2022 Douglas Christopher Wilson <doug@somethingdoug.com>

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
'Software'), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED 'AS IS', WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
*/

/**
 * The file extensions of mime types: each line starts with the part of its types before the slash; each entry is the part after it and the extensions.
 * Written by `pnpm generate`, from `mime-db`.
 */
export const REGISTERED_TYPES = `
application: andrew-inset ez, appinstaller appinstaller, applixware aw, appx appx, appxbundle appxbundle, atom+xml atom, atomcat+xml atomcat
application: atomdeleted+xml atomdeleted, atomsvc+xml atomsvc, atsc-dwd+xml dwd, atsc-held+xml held, atsc-rsat+xml rsat, automationml-aml+xml aml
application: automationml-amlx+zip amlx, bdoc bdoc, calendar+xml xcs, ccxml+xml ccxml, cdfx+xml cdfx, cdmi-capability cdmia, cdmi-container cdmic
application: cdmi-domain cdmid, cdmi-object cdmio, cdmi-queue cdmiq, cpl+xml cpl, cu-seeme cu, cwl cwl, dash+xml mpd, dash-patch+xml mpp
application: davmount+xml davmount, dicom dcm, docbook+xml dbk, dssc+der dssc, dssc+xml xdssc, ecmascript ecma, emma+xml emma, emotionml+xml emotionml
application: epub+zip epub, exi exi, express exp, fdf fdf, fdt+xml fdt, font-tdpfr pfr, geo+json geojson, gml+xml gml, gpx+xml gpx, gxf gxf
application: gzip gz tgz, hjson hjson, hyperstudio stk, inkml+xml ink inkml, ipfix ipfix, its+xml its, java-archive ear jar war
application: java-serialized-object ser, java-vm class, json json map, json5 json5, jsonml+json jsonml, ld+json jsonld, lgr+xml lgr, lost+xml lostxml
application: mac-binhex40 hqx, mac-compactpro cpt, mads+xml mads, manifest+json webmanifest, marc mrc, marcxml+xml mrcx, mathematica ma mb nb
application: mathml+xml mathml, mbox mbox, media-policy-dataset+xml mpf, mediaservercontrol+xml mscml, metalink+xml metalink, metalink4+xml meta4
application: mets+xml mets, mmt-aei+xml maei, mmt-usd+xml musd, mods+xml mods, mp21 m21 mp21, mp4 m4p mp4s, msix msix, msixbundle msixbundle
application: msword doc dot, mxf mxf, n-quads nq, n-triples nt, node cjs
application: octet-stream bin bpk buffer deb deploy dist distz dll dmg dms dump elc exe img iso lrf mar msi msm msp pkg so, oda oda
application: oebps-package+xml opf, ogg ogx, omdoc+xml omdoc, onenote one onea onepkg onetmp onetoc onetoc2, oxps oxps, p2p-overlay+xml relo
application: patch-ops-error+xml xer, pdf pdf, pgp-encrypted pgp, pgp-keys asc, pgp-signature sig, pics-rules prf, pkcs10 p10, pkcs7-mime p7c p7m
application: pkcs7-signature p7s, pkcs8 p8, pkix-attr-cert ac, pkix-cert cer, pkix-crl crl, pkix-pkipath pkipath, pkixcmp pki, pls+xml pls
application: postscript ai eps ps, provenance+xml provx, prs.cww cww, prs.xsf+xml xsf, pskc+xml pskcxml, raml+yaml raml, rdf+xml owl rdf
application: reginfo+xml rif, relax-ng-compact-syntax rnc, resource-lists+xml rl, resource-lists-diff+xml rld, rls-services+xml rs, route-apd+xml rapd
application: route-s-tsid+xml sls, route-usd+xml rusd, rpki-ghostbusters gbr, rpki-manifest mft, rpki-roa roa, rsd+xml rsd, rss+xml rss, sbml+xml sbml
application: scvp-cv-request scq, scvp-cv-response scs, scvp-vp-request spq, scvp-vp-response spp, sdp sdp, senml+xml senmlx, sensml+xml sensmlx
application: set-payment-initiation setpay, set-registration-initiation setreg, shf+xml shf, sieve sieve siv, smil+xml smi smil, sparql-query rq
application: sparql-results+xml srx, sql sql, srgs gram, srgs+xml grxml, sru+xml sru, ssdl+xml ssdl, ssml+xml ssml, swid+xml swidtag
application: tei+xml tei teicorpus, thraud+xml tfi, timestamped-data tsd, toml toml, trig trig, ttml+xml ttml, ubjson ubj, urc-ressheet+xml rsheet
application: urc-targetdesc+xml td, vnd.1000minds.decision-model+xml 1km, vnd.3gpp.pic-bw-large plb, vnd.3gpp.pic-bw-small psb
application: vnd.3gpp.pic-bw-var pvb, vnd.3gpp2.tcap tcap, vnd.3m.post-it-notes pwn, vnd.accpac.simply.aso aso, vnd.accpac.simply.imp imp
application: vnd.acucobol acu, vnd.acucorp acutc atc, vnd.adobe.air-application-installer-package+zip air, vnd.adobe.formscentral.fcdt fcdt
application: vnd.adobe.fxp fxp fxpl, vnd.adobe.xdp+xml xdp, vnd.age age, vnd.ahead.space ahead, vnd.airzip.filesecure.azf azf
application: vnd.airzip.filesecure.azs azs, vnd.amazon.ebook azw, vnd.americandynamics.acc acc, vnd.amiga.ami ami, vnd.android.package-archive apk
application: vnd.anser-web-certificate-issue-initiation cii, vnd.anser-web-funds-transfer-initiation fti, vnd.antix.game-component atx
application: vnd.apple.installer+xml mpkg, vnd.apple.keynote key, vnd.apple.mpegurl m3u8, vnd.apple.numbers numbers, vnd.apple.pages pages
application: vnd.apple.pkpass pkpass, vnd.aristanetworks.swi swi, vnd.astraea-software.iota iota, vnd.audiograph aep, vnd.autodesk.fbx fbx
application: vnd.balsamiq.bmml+xml bmml, vnd.blueice.multipass mpm, vnd.bmi bmi, vnd.businessobjects rep, vnd.chemdraw+xml cdxml
application: vnd.chipnuts.karaoke-mmd mmd, vnd.cinderella cdy, vnd.citationstyles.style+xml csl, vnd.claymore cla, vnd.cloanto.rp9 rp9
application: vnd.clonk.c4group c4d c4f c4g c4p c4u, vnd.cluetrust.cartomobile-config c11amc, vnd.cluetrust.cartomobile-config-pkg c11amz
application: vnd.commonspace csp, vnd.contact.cmsg cdbcmsg, vnd.cosmocaller cmc, vnd.crick.clicker clkx, vnd.crick.clicker.keyboard clkk
application: vnd.crick.clicker.palette clkp, vnd.crick.clicker.template clkt, vnd.crick.clicker.wordbank clkw, vnd.criticaltools.wbs+xml wbs
application: vnd.ctc-posml pml, vnd.cups-ppd ppd, vnd.curl.car car, vnd.curl.pcurl pcurl, vnd.dart dart, vnd.data-vision.rdz rdz, vnd.dbf dbf
application: vnd.dcmp+xml dcmp, vnd.dece.data uvd uvf uvvd uvvf, vnd.dece.ttml+xml uvt uvvt, vnd.dece.unspecified uvvx uvx, vnd.dece.zip uvvz uvz
application: vnd.denovo.fcselayout-link fe_launch, vnd.dna dna, vnd.dolby.mlp mlp, vnd.dpgraph dpg, vnd.dreamfactory dfac, vnd.ds-keypoint kpxx
application: vnd.dvb.ait ait, vnd.dvb.service svc, vnd.dynageo geo, vnd.ecowin.chart mag, vnd.enliven nml, vnd.epson.esf esf, vnd.epson.msf msf
application: vnd.epson.quickanime qam, vnd.epson.salt slt, vnd.epson.ssf ssf, vnd.eszigno3+xml es3 et3, vnd.ezpix-album ez2, vnd.ezpix-package ez3
application: vnd.fdsn.mseed mseed, vnd.fdsn.seed dataless seed, vnd.flographit gph, vnd.fluxtime.clip ftc, vnd.framemaker book fm frame maker
application: vnd.frogans.fnc fnc, vnd.frogans.ltf ltf, vnd.fsc.weblaunch fsc, vnd.fujitsu.oasys oas, vnd.fujitsu.oasys2 oa2, vnd.fujitsu.oasys3 oa3
application: vnd.fujitsu.oasysgp fg5, vnd.fujitsu.oasysprs bh2, vnd.fujixerox.ddd ddd, vnd.fujixerox.docuworks xdw, vnd.fujixerox.docuworks.binder xbd
application: vnd.fuzzysheet fzs, vnd.genomatix.tuxedo txd, vnd.geogebra.file ggb, vnd.geogebra.slides ggs, vnd.geogebra.tool ggt
application: vnd.geometry-explorer gex gre, vnd.geonext gxt, vnd.geoplan g2w, vnd.geospace g3w, vnd.gmx gmx, vnd.google-apps.document gdoc
application: vnd.google-apps.drawing gdraw, vnd.google-apps.form gform, vnd.google-apps.jam gjam, vnd.google-apps.map gmap
application: vnd.google-apps.presentation gslides, vnd.google-apps.script gscript, vnd.google-apps.site gsite, vnd.google-apps.spreadsheet gsheet
application: vnd.google-earth.kml+xml kml, vnd.google-earth.kmz kmz, vnd.gov.sk.xmldatacontainer+xml xdcf, vnd.grafeq gqf gqs, vnd.groove-account gac
application: vnd.groove-help ghf, vnd.groove-identity-message gim, vnd.groove-injector grv, vnd.groove-tool-message gtm, vnd.groove-tool-template tpl
application: vnd.groove-vcard vcg, vnd.hal+xml hal, vnd.handheld-entertainment+xml zmm, vnd.hbci hbci, vnd.hhe.lesson-player les, vnd.hp-hpgl hpgl
application: vnd.hp-hpid hpid, vnd.hp-hps hps, vnd.hp-jlyt jlt, vnd.hp-pcl pcl, vnd.hp-pclxl pclxl, vnd.hydrostatix.sof-data sfd-hdstx
application: vnd.ibm.minipay mpy, vnd.ibm.modcap afp list3820 listafp, vnd.ibm.rights-management irm, vnd.ibm.secure-container sc
application: vnd.iccprofile icc icm, vnd.igloader igl, vnd.immervision-ivp ivp, vnd.immervision-ivu ivu, vnd.insors.igm igm
application: vnd.intercon.formnet xpw xpx, vnd.intergeo i2g, vnd.intu.qbo qbo, vnd.intu.qfx qfx, vnd.ipunplugged.rcprofile rcprofile
application: vnd.irepository.package+xml irp, vnd.is-xpr xpr, vnd.isac.fcs fcs, vnd.jam jam, vnd.jcp.javame.midlet-rms rms, vnd.jisp jisp
application: vnd.joost.joda-archive joda, vnd.kahootz ktr ktz, vnd.kde.karbon karbon, vnd.kde.kchart chrt, vnd.kde.kformula kfo, vnd.kde.kivio flw
application: vnd.kde.kontour kon, vnd.kde.kpresenter kpr kpt, vnd.kde.kspread ksp, vnd.kde.kword kwd kwt, vnd.kenameaapp htke, vnd.kidspiration kia
application: vnd.kinar kne knp, vnd.koan skd skm skp skt, vnd.kodak-descriptor sse, vnd.las.las+xml lasxml, vnd.llamagraphics.life-balance.desktop lbd
application: vnd.llamagraphics.life-balance.exchange+xml lbe, vnd.lotus-1-2-3 123, vnd.lotus-approach apr, vnd.lotus-freelance pre
application: vnd.lotus-notes nsf, vnd.lotus-organizer org, vnd.lotus-screencam scm, vnd.lotus-wordpro lwp, vnd.macports.portpkg portpkg
application: vnd.mapbox-vector-tile mvt, vnd.mcd mcd, vnd.medcalcdata mc1, vnd.mediastation.cdkey cdkey, vnd.mfer mwf, vnd.mfmp mfm
application: vnd.micrografx.flo flo, vnd.micrografx.igx igx, vnd.mif mif, vnd.mobius.daf daf, vnd.mobius.dis dis, vnd.mobius.mbk mbk
application: vnd.mobius.mqy mqy, vnd.mobius.msl msl, vnd.mobius.plc plc, vnd.mobius.txf txf, vnd.mophun.application mpn, vnd.mophun.certificate mpc
application: vnd.mozilla.xul+xml xul, vnd.ms-artgalry cil, vnd.ms-cab-compressed cab, vnd.ms-excel xla xlc xlm xls xlt xlw
application: vnd.ms-excel.addin.macroenabled.12 xlam, vnd.ms-excel.sheet.binary.macroenabled.12 xlsb, vnd.ms-excel.sheet.macroenabled.12 xlsm
application: vnd.ms-excel.template.macroenabled.12 xltm, vnd.ms-fontobject eot, vnd.ms-htmlhelp chm, vnd.ms-ims ims, vnd.ms-lrm lrm
application: vnd.ms-officetheme thmx, vnd.ms-outlook msg, vnd.ms-pki.seccat cat, vnd.ms-powerpoint pot pps ppt
application: vnd.ms-powerpoint.addin.macroenabled.12 ppam, vnd.ms-powerpoint.presentation.macroenabled.12 pptm
application: vnd.ms-powerpoint.slide.macroenabled.12 sldm, vnd.ms-powerpoint.slideshow.macroenabled.12 ppsm
application: vnd.ms-powerpoint.template.macroenabled.12 potm, vnd.ms-project mpt, vnd.ms-visio.viewer vdx, vnd.ms-word.document.macroenabled.12 docm
application: vnd.ms-word.template.macroenabled.12 dotm, vnd.ms-works wcm wdb wks wps, vnd.ms-wpl wpl, vnd.ms-xpsdocument xps, vnd.mseq mseq
application: vnd.musician mus, vnd.muvee.style msty, vnd.mynfc taglet, vnd.nato.bindingdataobject+xml bdo, vnd.neurolanguage.nlu nlu
application: vnd.nitf nitf ntf, vnd.noblenet-directory nnd, vnd.noblenet-sealer nns, vnd.noblenet-web nnw, vnd.nokia.n-gage.data ngdat
application: vnd.nokia.n-gage.symbian.install n-gage, vnd.nokia.radio-preset rpst, vnd.nokia.radio-presets rpss, vnd.novadigm.edm edm
application: vnd.novadigm.edx edx, vnd.novadigm.ext ext, vnd.oasis.opendocument.chart odc, vnd.oasis.opendocument.chart-template otc
application: vnd.oasis.opendocument.database odb, vnd.oasis.opendocument.formula odf, vnd.oasis.opendocument.formula-template odft
application: vnd.oasis.opendocument.graphics odg, vnd.oasis.opendocument.graphics-template otg, vnd.oasis.opendocument.image odi
application: vnd.oasis.opendocument.image-template oti, vnd.oasis.opendocument.presentation odp, vnd.oasis.opendocument.presentation-template otp
application: vnd.oasis.opendocument.spreadsheet ods, vnd.oasis.opendocument.spreadsheet-template ots, vnd.oasis.opendocument.text odt
application: vnd.oasis.opendocument.text-master odm, vnd.oasis.opendocument.text-template ott, vnd.oasis.opendocument.text-web oth, vnd.olpc-sugar xo
application: vnd.oma.dd2+xml dd2, vnd.openblox.game+xml obgx, vnd.openofficeorg.extension oxt, vnd.openstreetmap.data+xml osm
application: vnd.openxmlformats-officedocument.presentationml.presentation pptx, vnd.openxmlformats-officedocument.presentationml.slide sldx
application: vnd.openxmlformats-officedocument.presentationml.slideshow ppsx, vnd.openxmlformats-officedocument.presentationml.template potx
application: vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx, vnd.openxmlformats-officedocument.spreadsheetml.template xltx
application: vnd.openxmlformats-officedocument.wordprocessingml.document docx, vnd.openxmlformats-officedocument.wordprocessingml.template dotx
application: vnd.osgeo.mapguide.package mgp, vnd.osgi.dp dp, vnd.osgi.subsystem esa, vnd.palm oprc pdb pqa, vnd.pawaafile paw, vnd.pg.format str
application: vnd.pg.osasli ei6, vnd.picsel efif, vnd.pmi.widget wg, vnd.pocketlearn plf, vnd.powerbuilder6 pbd, vnd.previewsystems.box box
application: vnd.procrate.brushset brushset, vnd.procreate.brush brush, vnd.procreate.dream drm, vnd.proteus.magazine mgz
application: vnd.publishare-delta-tree qps, vnd.pvi.ptid1 ptid, vnd.pwg-xhtml-print+xml xhtm, vnd.quark.quarkxpress qwd qwt qxb qxd qxl qxt
application: vnd.rar rar, vnd.realvnc.bed bed, vnd.recordare.musicxml mxl, vnd.recordare.musicxml+xml musicxml, vnd.rig.cryptonote cryptonote
application: vnd.rim.cod cod, vnd.rn-realmedia rm, vnd.rn-realmedia-vbr rmvb, vnd.route66.link66+xml link66, vnd.sailingtracker.track st
application: vnd.seemail see, vnd.sema sema, vnd.semd semd, vnd.semf semf, vnd.shana.informed.formdata ifm, vnd.shana.informed.formtemplate itp
application: vnd.shana.informed.interchange iif, vnd.shana.informed.package ipk, vnd.simtech-mindmapper twd twds, vnd.smaf mmf
application: vnd.smart.teacher teacher, vnd.software602.filler.form+xml fo, vnd.solent.sdkm+xml sdkd sdkm, vnd.spotfire.dxp dxp, vnd.spotfire.sfs sfs
application: vnd.stardivision.calc sdc, vnd.stardivision.draw sda, vnd.stardivision.impress sdd, vnd.stardivision.math smf
application: vnd.stardivision.writer sdw vor, vnd.stardivision.writer-global sgl, vnd.stepmania.package smzip, vnd.stepmania.stepchart sm
application: vnd.sun.wadl+xml wadl, vnd.sun.xml.calc sxc, vnd.sun.xml.calc.template stc, vnd.sun.xml.draw sxd, vnd.sun.xml.draw.template std
application: vnd.sun.xml.impress sxi, vnd.sun.xml.impress.template sti, vnd.sun.xml.math sxm, vnd.sun.xml.writer sxw, vnd.sun.xml.writer.global sxg
application: vnd.sun.xml.writer.template stw, vnd.sus-calendar sus susp, vnd.svd svd, vnd.symbian.install sis sisx, vnd.syncml+xml xsm
application: vnd.syncml.dm+wbxml bdm, vnd.syncml.dm+xml xdm, vnd.syncml.dmddf+xml ddf, vnd.tao.intent-module-archive tao
application: vnd.tcpdump.pcap cap dmp pcap, vnd.tmobile-livetv tmo, vnd.trid.tpt tpt, vnd.triscape.mxs mxs, vnd.trueapp tra, vnd.ufdl ufd ufdl
application: vnd.uiq.theme utz, vnd.umajin umj, vnd.unity unityweb, vnd.uoml+xml uo uoml, vnd.vcx vcx, vnd.visio vsd vsdx vss vst vsw vtx
application: vnd.visionary vis, vnd.vsf vsf, vnd.wap.wbxml wbxml, vnd.wap.wmlc wmlc, vnd.wap.wmlscriptc wmlsc, vnd.webturbo wtb
application: vnd.wolfram.player nbp, vnd.wordperfect wpd, vnd.wqd wqd, vnd.wt.stf stf, vnd.xara xar, vnd.xfdl xfdl, vnd.yamaha.hv-dic hvd
application: vnd.yamaha.hv-script hvs, vnd.yamaha.hv-voice hvp, vnd.yamaha.openscoreformat osf, vnd.yamaha.openscoreformat.osfpvg+xml osfpvg
application: vnd.yamaha.smaf-audio saf, vnd.yamaha.smaf-phrase spf, vnd.yellowriver-custom-menu cmp, vnd.zul zir zirz, vnd.zzazz.deck+xml zaz
application: voicexml+xml vxml, wasm wasm, watcherinfo+xml wif, widget wgt, winhlp hlp, wsdl+xml wsdl, wspolicy+xml wspolicy, x-7z-compressed 7z
application: x-abiword abw, x-ace-compressed ace, x-arj arj, x-authorware-bin aab u32 vox x32, x-authorware-map aam, x-authorware-seg aas
application: x-bcpio bcpio, x-bittorrent torrent, x-blender blend, x-blorb blb blorb, x-bzip bz, x-bzip2 boz bz2, x-cbr cb7 cba cbr cbt cbz
application: x-cdlink vcd, x-cfs-compressed cfs, x-chat chat, x-chess-pgn pgn, x-chrome-extension crx, x-cocoa cco, x-conference nsc, x-cpio cpio
application: x-csh csh, x-debian-package udeb, x-dgc-compressed dgc, x-director cct cst cxt dcr dir dxr fgd swa w3d, x-doom wad, x-dtbncx+xml ncx
application: x-dtbook+xml dtb, x-dtbresource+xml res, x-dvi dvi, x-envoy evy, x-eva eva, x-font-bdf bdf, x-font-ghostscript gsf, x-font-linux-psf psf
application: x-font-pcf pcf, x-font-snf snf, x-font-type1 afm pfa pfb pfm, x-freearc arc, x-futuresplash spl, x-gca-compressed gca, x-glulx ulx
application: x-gnumeric gnumeric, x-gramps-xml gramps, x-gtar gtar, x-hdf hdf, x-httpd-php php, x-install-instructions install, x-ipynb+json ipynb
application: x-java-archive-diff jardiff, x-java-jnlp-file jnlp, x-keepass2 kdbx, x-latex latex, x-lua-bytecode luac, x-lzh-compressed lha lzh
application: x-makeself run, x-mie mie, x-mobipocket-ebook mobi, x-ms-application application, x-ms-shortcut lnk, x-ms-wmd wmd, x-ms-wmz wmz
application: x-ms-xbap xbap, x-msaccess mdb, x-msbinder obd, x-mscardfile crd, x-msclip clp, x-msdownload bat com, x-msmediaview m13 m14 mvb
application: x-msmetafile emz, x-msmoney mny, x-mspublisher pub, x-msschedule scd, x-msterminal trm, x-mswrite wri, x-netcdf cdf nc
application: x-ns-proxy-autoconfig pac, x-nzb nzb, x-perl pl pm, x-pkcs12 p12 pfx, x-pkcs7-certificates p7b spc, x-pkcs7-certreqresp p7r
application: x-redhat-package-manager rpm, x-research-info-systems ris, x-sea sea, x-sh sh, x-shar shar, x-shockwave-flash swf, x-silverlight-app xap
application: x-stuffit sit, x-stuffitx sitx, x-subrip srt, x-sv4cpio sv4cpio, x-sv4crc sv4crc, x-t3vm-image t3, x-tads gam, x-tar tar, x-tcl tcl tk
application: x-tex tex, x-tex-tfm tfm, x-texinfo texi texinfo, x-ustar ustar, x-virtualbox-hdd hdd, x-virtualbox-ova ova, x-virtualbox-ovf ovf
application: x-virtualbox-vbox vbox, x-virtualbox-vbox-extpack vbox-extpack, x-virtualbox-vdi vdi, x-virtualbox-vhd vhd, x-virtualbox-vmdk vmdk
application: x-wais-source src, x-web-app-manifest+json webapp, x-x509-ca-cert crt der pem, x-xfig fig, x-xpinstall xpi, x-xz xz
application: x-zmachine z1 z2 z3 z4 z5 z6 z7 z8, xaml+xml xaml, xcap-att+xml xav, xcap-caps+xml xca, xcap-diff+xml xdf, xcap-el+xml xel
application: xcap-ns+xml xns, xenc+xml xenc, xfdf xfdf, xhtml+xml xht xhtml, xliff+xml xlf, xml rng xsd xsl, xml-dtd dtd, xop+xml xop, xproc+xml xpl
application: xslt+xml xslt, xspf+xml xspf, xv+xml mxml xhvml xvm xvml, yang yang, yin+xml yin, zip zip, zip+dotlottie lottie, zstd zst
audio: 3gpp 3gpp, aac aac adts, adpcm adp, amr amr, basic au snd, flac flac, midi kar mid midi rmi, mobile-xmf mxmf, mp4 m4a m4b mp4a
audio: mpeg m2a m3a mp2 mp2a mp3 mpga, ogg oga ogg opus spx, s3m s3m, silk sil, vnd.dece.audio uva uvva, vnd.digital-winds eol, vnd.dra dra
audio: vnd.dts dts, vnd.dts.hd dtshd, vnd.lucent.voice lvp, vnd.ms-playready.media.pya pya, vnd.nuera.ecelp4800 ecelp4800
audio: vnd.nuera.ecelp7470 ecelp7470, vnd.nuera.ecelp9600 ecelp9600, vnd.rip rip, wav wav, webm weba, x-aiff aif aifc aiff, x-caf caf, x-matroska mka
audio: x-mpegurl m3u, x-ms-wax wax, x-ms-wma wma, x-pn-realaudio ram, x-pn-realaudio-plugin rmp, x-realaudio ra, xm xm
chemical: x-cdx cdx, x-cif cif, x-cmdf cmdf, x-cml cml, x-csml csml, x-xyz xyz
font: collection ttc, otf otf, ttf ttf, woff woff, woff2 woff2
image: aces exr, apng apng, avci avci, avcs avcs, avif avif, bmp bmp dib, cgm cgm, dicom-rle drle, dpx dpx, emf emf, fits fits, g3fax g3, gif gif
image: heic heic, heic-sequence heics, heif heif, heif-sequence heifs, hej2k hej2, ief ief, jaii jaii, jais jais, jls jls, jp2 jp2 jpg2
image: jpeg jpe jpeg jpg, jph jph, jphc jhc, jpm jpgm jpm, jpx jpf jpx, jxl jxl, jxr jxr, jxra jxra, jxrs jxrs, jxs jxs, jxsc jxsc, jxsi jxsi
image: jxss jxss, ktx ktx, ktx2 ktx2, pjpeg jfif, png png, prs.btif btf btif, prs.pti pti, sgi sgi, svg+xml svg svgz, t38 t38, tiff tif tiff
image: tiff-fx tfx, vnd.adobe.photoshop psd, vnd.airzip.accelerator.azv azv, vnd.dece.graphic uvg uvi uvvg uvvi, vnd.djvu djv djvu
image: vnd.dvb.subtitle sub, vnd.dwg dwg, vnd.dxf dxf, vnd.fastbidsheet fbs, vnd.fpx fpx, vnd.fst fst, vnd.fujixerox.edmics-mmr mmr
image: vnd.fujixerox.edmics-rlc rlc, vnd.microsoft.icon ico, vnd.ms-dds dds, vnd.ms-modi mdi, vnd.ms-photo wdp, vnd.net-fpx npx, vnd.pco.b16 b16
image: vnd.tencent.tap tap, vnd.valve.source.texture vtf, vnd.wap.wbmp wbmp, vnd.xiff xif, vnd.zbrush.pcx pcx, webp webp, wmf wmf, x-3ds 3ds
image: x-adobe-dng dng, x-cmu-raster ras, x-cmx cmx, x-freehand fh fh4 fh5 fh7 fhc, x-jng jng, x-mrsid-image sid, x-pict pct pic
image: x-portable-anymap pnm, x-portable-bitmap pbm, x-portable-graymap pgm, x-portable-pixmap ppm, x-rgb rgb, x-tga tga, x-xbitmap xbm, x-xpixmap xpm
image: x-xwindowdump xwd
message: disposition-notification disposition-notification, global u8msg, global-delivery-status u8dsn, global-disposition-notification u8mdn
message: global-headers u8hdr, rfc822 eml mht mhtml mime, vnd.wfa.wsc wsc
model: 3mf 3mf, gltf+json gltf, gltf-binary glb, iges iges igs, jt jt, mesh mesh msh silo, mtl mtl, obj obj, prc prc, step 210 p21 step stp stpnc
model: step+xml stpx, step+zip stpz, step-xml+zip stpxz, stl stl, u3d u3d, vnd.bary bary, vnd.cld cld, vnd.collada+xml dae, vnd.dwf dwf, vnd.gdl gdl
model: vnd.gtw gtw, vnd.opengex ogex, vnd.parasolid.transmit.binary x_b, vnd.parasolid.transmit.text x_t, vnd.pytha.pyox pyo pyox, vnd.sap.vds vds
model: vnd.usda usda, vnd.usdz+zip usdz, vnd.valve.source.compiled-map bsp, vnd.vtu vtu, vrml vrml wrl, x3d+binary x3dbz, x3d+fastinfoset x3db
model: x3d+vrml x3dvz, x3d+xml x3d x3dz, x3d-vrml x3dv
text: cache-manifest appcache manifest, calendar ics ifb, coffeescript coffee litcoffee, css css, csv csv, html htm html shtml, jade jade
text: javascript js mjs, jsx jsx, less less, markdown markdown md, mathml mml, mdx mdx, n3 n3, plain conf def in ini list log text txt
text: prs.lines.tag dsc, richtext rtx, rtf rtf, sgml sgm sgml, shex shex, slim slim slm, spdx spdx, stylus styl stylus, tab-separated-values tsv
text: troff man me ms roff t tr, turtle ttl, uri-list uri uris urls, vcard vcard, vnd.curl curl, vnd.curl.dcurl dcurl, vnd.curl.mcurl mcurl
text: vnd.curl.scurl scurl, vnd.familysearch.gedcom ged, vnd.fly fly, vnd.fmi.flexstor flx, vnd.graphviz gv, vnd.in3d.3dml 3dml, vnd.in3d.spot spot
text: vnd.sun.j2me.app-descriptor jad, vnd.wap.wml wml, vnd.wap.wmlscript wmls, vtt vtt, wgsl wgsl, x-asm asm s, x-c c cc cpp cxx dic h hh
text: x-component htc, x-fortran f f77 f90 for, x-handlebars-template hbs, x-java-source java, x-lua lua, x-markdown mkd, x-nfo nfo, x-opml opml
text: x-pascal p pas, x-processing pde, x-sass sass, x-scss scss, x-setext etx, x-sfv sfv, x-suse-ymp ymp, x-uuencode uu, x-vcalendar vcs, x-vcard vcf
text: xml xml, yaml yaml yml
video: 3gpp 3gp, 3gpp2 3g2, h261 h261, h263 h263, h264 h264, iso.segment m4s, jpeg jpgv, mj2 mj2 mjp2, mp2t m2t m2ts mts ts, mp4 mp4 mp4v mpg4
video: mpeg m1v m2v mpe mpeg mpg, ogg ogv, quicktime mov qt, vnd.dece.hd uvh uvvh, vnd.dece.mobile uvm uvvm, vnd.dece.pd uvp uvvp
video: vnd.dece.sd uvs uvvs, vnd.dece.video uvv uvvv, vnd.dvb.file dvb, vnd.fvt fvt, vnd.mpegurl m4u mxu, vnd.ms-playready.media.pyv pyv
video: vnd.uvvu.mp4 uvu uvvu, vnd.vivo viv, webm webm, x-f4v f4v, x-fli fli, x-flv flv, x-m4v m4v, x-matroska mk3d mks mkv, x-mng mng
video: x-ms-asf asf asx, x-ms-vob vob, x-ms-wm wm, x-ms-wmv wmv, x-ms-wmx wmx, x-ms-wvx wvx, x-msvideo avi, x-sgi-movie movie, x-smv smv
x-conference: x-cooltalk ice
`

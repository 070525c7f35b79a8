"""What the system, the shell, make, gcc, git and apt say in other languages. Tables only."""

from __future__ import annotations

REASONS: dict[str, tuple[str, ...]] = {
    "No such file or directory": (
        "Datei oder Verzeichnis nicht gefunden",
        "Aucun fichier ou dossier de ce (?:nom|type)",
        "没有那个文件或目录",
        "沒有此一檔案或目錄",
        "そのようなファイルやディレクトリはありません",
        "No existe el (?:archivo|fichero) o el directorio",
    ),
    "Permission denied": (
        "Keine Berechtigung",
        "Permission non accordée",
        "权限不够",
        "拒絕不符權限的操作",
        "許可がありません",
        "Permiso denegado",
    ),
    "Operation not permitted": (
        "Die Operation ist nicht erlaubt",
        "Vorgang nicht zulässig",
        "Opération non permise",
        "不允许的操作",
        "許可されていない操作です",
        "Operación no permitida",
    ),
    "File exists": (
        "(?:Die )?Datei existiert bereits",
        "Le fichier existe(?: déjà)?",
        "文件已存在",
        "ファイルが存在します",
        "El (?:archivo|fichero) ya existe",
    ),
    "Not a directory": (
        "Ist kein Verzeichnis",
        "N'est pas un (?:dossier|répertoire)",
        "不是(?:一个)?目录",
        "ディレクトリではありません",
        "No es un directorio",
    ),
    "Directory not empty": (
        "(?:Das )?Verzeichnis (?:ist )?nicht leer",
        "Le dossier n'est pas vide",
        "目录非空",
        "ディレクトリは空ではありません",
        "El directorio no está vacío",
    ),
    "Is a directory": (
        "Ist ein Verzeichnis",
        "[Ee]st un (?:dossier|répertoire)",
        "是一个目录",
        "(?<=[:は] )ディレクトリです",
        "Es un directorio",
    ),
    "No space left on device": (
        "Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
        "Aucun espace disponible sur le périphérique",
        "设备上没有空间",
        "デバイスに空き領域がありません",
        "No queda espacio en el dispositivo",
    ),
    "Device or resource busy": (
        "Das Gerät oder die Ressource ist belegt",
        "Périphérique ou ressource occupé",
        "设备或资源忙",
        "デバイスもしくはリソースがビジー状態です",
    ),
    "Read-only file system": (
        "Das Dateisystem ist nur lesbar",
        "Système de fichiers accessible en lecture seulement",
        "只读文件系统",
        "読み込み専用ファイルシステムです",
    ),
    "Too many open files": (
        "Zu viele offene Dateien",
        "Trop de fichiers ouverts",
        "打开的文件过多",
        "開いているファイルが多すぎます",
    ),
    "Address already in use": (
        "Die Adresse wird bereits verwendet",
        "Adresse déjà utilisée",
        "地址已(?:在使用|被使用)",
        "アドレスは既に使用中です",
    ),
    "Connection refused": (
        "Verbindungsaufbau abgelehnt",
        "Connexion refusée",
        "拒绝连接",
        "连接被拒绝",
        "接続を拒否されました",
        "Conexión rehusada",
    ),
    "Connection reset by peer": (
        "Die Verbindung wurde vom Kommunikationspartner zurückgesetzt",
        "Connexion ré-initialisée par le correspondant",
        "连接被对方重[设置]",
        "接続が相手からリセットされました",
    ),
    "Connection timed out": (
        "Die Wartezeit für die Verbindung ist abgelaufen",
        "Connexion terminée par expiration du délai d'attente",
        "连接超时",
        "接続がタイムアウトしました",
        "Expiró el tiempo de conexión",
    ),
    "Network is unreachable": (
        "Das Netzwerk ist nicht erreichbar",
        "Le réseau n'est pas accessible",
        "网络不可达",
        "ネットワークに届きません",
    ),
    "No route to host": (
        "Keine Route zum Zielrechner",
        "Aucun chemin d'accès pour atteindre l'hôte cible",
        "没有到主机的路由",
        "ホストへの経路がありません",
    ),
    "Argument list too long": (
        "Die Argumentliste ist zu lang",
        "Liste d'arguments trop longue",
        "参数列表过长",
        "引数リストが長すぎます",
    ),
    "Cannot allocate memory": (
        "Nicht genügend Hauptspeicher verfügbar",
        "Ne peut allouer de la mémoire",
        "Impossible d'allouer de la mémoire",
        "无法分配内存",
        "メモリを確保できません",
    ),
    "Invalid argument": (
        "Das Argument ist ungültig",
        "Argument invalide",
        "无效的参数",
        "無効な引数です",
        "Argumento inválido",
    ),
    "Broken pipe": (
        r"Datenübergabe unterbrochen \(broken pipe\)",
        r"Relais brisé \(pipe\)",
        "断开的管道",
        "パイプが切断されました",
    ),
    "Resource temporarily unavailable": (
        "Die Ressource ist zur Zeit nicht verfügbar",
        "Ressource temporairement non disponible",
        "资源暂时不可用",
        "リソースが一時的に利用できません",
    ),
    "Input/output error": (
        "Eingabe-/Ausgabefehler",
        "Erreur d'entrée/sortie",
        "输入/输出错误",
        "入力/出力エラーです",
    ),
    "Name or service not known": (
        "Der Name oder der Dienst ist nicht bekannt",
        "Nom ou service inconnu",
        "未知的名称或服务",
        "名前またはサービスが不明です",
    ),
    "Temporary failure in name resolution": (
        "Temporärer Fehler bei der Namensauflösung",
        "Échec temporaire dans la résolution du nom",
        "域名解析暂时失败",
        "名前解決に一時的に失敗しました",
    ),
    "Text file busy": (
        r"Das Programm kann nicht ausgeführt oder verändert werden \(busy\)",
        "Fichier texte occupé",
        "文本文件忙",
        "テキストファイルがビジー状態です",
    ),
    "Exec format error": (
        "Fehler im Format der Programmdatei",
        r"Erreur de format pour exec\(\)",
        "可执行文件格式错误",
        "実行形式エラー",
    ),
    "File name too long": (
        "Der Dateiname ist zu lang",
        "Nom de fichier trop long",
        "文件名过长",
        "ファイル名が長すぎます",
    ),
    "command not found": (
        "(?:Kommando|Befehl) nicht gefunden",
        "commande (?:introuvable|non trouvée)",
        "未找到命令",
        "找不到命令",
        "コマンドが見つかりません",
        "orden no encontrada",
    ),
    "unbound variable": (
        "variable sans liaison",
        "未绑定的变量",
        "为绑定变量",
        "未割り当ての変数(?:です)?",
    ),
    "syntax error: unexpected end of file": (
        "Syntaxfehler: Unerwartetes Dateiende",
        "erreur de syntaxe ?: fin de fichier prématurée",
        "语法错误[:：] ?(?:未预期的文件结尾|文件未预期的结束|未预期的文件结束符)",
        "構文エラー: 予期しないファイル終了(?:です)?",
    ),
    "Segmentation fault": (
        "Speicherzugriffsfehler",
        "Erreur de segmentation",
        "段错误",
        "セグメンテーション違反です",
        "Violación de segmento",
    ),
    "Killed": (r"(?:^|(?<=\s))(?:Getötet|Processus arrêté|已杀死|已终止|強制終了)(?=$|\s)",),
    "Aborted": (r"(?:^|(?<=\s))(?:Abgebrochen|Abandon|已放弃|已中止|中止)(?=$|\s)",),
}
SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # English, and what is said elsewhere; in the order in which they are tried.
    (
        "line 0",
        (
            r"(?:Zeile|ligne|línea|行) (\d+)(?: ?行)?",
            r"第 (\d+) 行",
        ),
    ),
    (r"syntax error near unexpected token '\1'", ("Syntaxfehler beim unerwarteten (?:Wort|Symbol|Token) '([^']+)'?",)),
    (r"syntax error near unexpected token '\1'", ("erreur de syntaxe près du symbole inattendu '([^']+)'",)),
    (r"syntax error near unexpected token '\1'", ("未预期的(?:记号|符号|标记) ?'([^']+)' ?附近有语法错误",)),
    (
        r"syntax error near unexpected token '\1'",
        ("(?:未预期的(?:记号|符号|标记)附近有语法错误|未预期的标记) ?'([^']+)'",),
    ),
    (r"syntax error near unexpected token '\1'", ("予期しないトークン ?'([^']+)' ?周辺に構文エラーがあります",)),
    (r"No rule to make target '\1'", ("Keine Regel, um '([^']+)'(?:,? zu erstellen)?.*",)),
    (r"No rule to make target '\1'", ("Aucune règle pour fabriquer la cible '([^']+)'.*",)),
    (r"No rule to make target '\1'", ("没有规则可制作目标 ?'([^']+)'.*",)),
    (r"No rule to make target '\1'", ("ターゲット '([^']+)' を make するルールがありません.*",)),
    ("fatal error: ", (r"(?<=\d: )(?:[Ss]chwerwiegender Fehler|erreur fatale ?|致命错误): ?",)),
    ("fatal: ", ("^Schwerwiegend: ",)),
    ("fatal: ", ("(?:致命错误|fatal ?)[:：] ?",)),
    ("error: ", ("^(?:错误|Fehler|erreur ?)[:：] ?",)),
    (
        "not a git repository",
        (
            "(?:Kein Git-Repository|[Nn]i ceci ni aucun de ses répertoires parents n'est un dépôt git|pas un dépôt"
            " git|不是(?:一个)? ?git 仓库).*",
        ),
    ),
    (
        r"pathspec '\1' did not match any file",
        ("Pfadspezifikation '([^']+)' stimmt mit keinen git-bekannten Dateien überein",),
    ),
    (
        r"pathspec '\1' did not match any file",
        ("le spécificateur de chemin '([^']+)' ne correspond à aucun fichier connu de git",),
    ),
    (r"pathspec '\1' did not match any file", ("路径规格 ?'([^']+)' ?未匹配任何 git 已知文件",)),
    (
        "CONFLICT (content): Merge conflict in ",
        (
            "(?:KONFLIKT|CONFLIT|冲突) ?[(（](?:Inhalt|contenu|内容)[)）] ?[:：] ?"
            "(?:Merge-Konflikt in|Conflit de fusion dans|合并冲突于) ?",
        ),
    ),
    (
        "Could not read from remote repository",
        (
            "Konnte nicht vom Remote-Repository lesen",
            "Impossible de lire le dépôt distant",
            "无法读取远程仓库",
        ),
    ),
    (
        "Authentication failed for ",
        (
            "Authentifizierung fehlgeschlagen für ",
            "Échec d'authentification pour ",
        ),
    ),
    (
        r"Authentication failed for '\2\3'",
        (
            "(.{0,20})'([^']+)' ?(?:的)?身份验证失败",
            "身份验证失败[:：]? ?'?([^' ]{0,200})'?",
        ),
    ),
    (r"failed to push some refs to '\1'", ("Fehler beim Versenden einiger Referenzen nach '([^']+)'",)),
    (
        r"failed to push some refs to '\1\2'",
        (
            "(?:l')?échec de l'envoi de certaines références vers '([^']+)'",
            "impossible de pousser des références vers '([^']+)'",
        ),
    ),
    (r"failed to push some refs to '\1'", ("(?:推送一些引用到|无法推送一些引用到) ?'([^']+)'(?: ?失败)?",)),
    ("[rejected]", (r"\[(?:zurückgewiesen|rejeté|已拒绝)\]",)),
    (
        "Your local changes to the following files would be overwritten",
        (
            "Ihre lokalen Änderungen in den folgenden Dateien würden.*",
            "Vos modifications locales aux fichiers suivants seraient écrasées.*",
            "您对下列文件的本地修改将被(?:合并|检出)操作覆盖.*",
        ),
    ),
    (
        "refusing to merge unrelated histories",
        (
            "Verweigere den Merge von nicht zusammenhängenden Historien",
            "refus de fusionner des historiques sans relation",
            "拒绝合并无关的历史",
        ),
    ),
    (
        r"remote \1\2\3 already exists",
        (
            r"(?:[Ee]xternes Repository|Remote-Repository) (\S+) existiert bereits",
            r"la distante (\S+) existe déjà",
            r"远程 (\S+) 已经存在",
        ),
    ),
    (
        r"a branch named '\1\2\3\4' already exists",
        (
            "(?:Ein )?Branch (?:namens )?'([^']+)' existiert bereits",
            "une branche nommée '([^']+)' existe déjà",
            "一个名为 ?'([^']+)' ?的分支已经存在",
            "分支 ?'([^']+)' ?已经存在",
        ),
    ),
    (
        "nothing to commit",
        (
            "nichts zu committen",
            "rien à valider",
            "无文件要提交",
            "没有(?:什么可|文件要)提交的?",
        ),
    ),
    (r"Unable to locate package \1", (r"Paket (\S+) kann nicht gefunden werden",)),
    (r"Unable to locate package \1", (r"Impossible de trouver le paquet (\S+)",)),
    (r"Unable to locate package \1", (r"无法定位软件包 ?(\S+)",)),
    (r"Unable to locate package \1", (r"パッケージ (\S+) が見つかりません(?:でした)?",)),
    (
        r"Could not get lock \1\2\3\4",
        (
            r"Sperre (\S+) konnte nicht bekommen werden",
            r"Impossible d'obtenir le verrou (\S+)",
            r"无法获得锁 (\S+?)。?(?=\s|$)",
            r"ロック (\S+) が取得できませんでした",
        ),
    ),
    ("error: ", (r"(?<=\d: )(?:Fehler|erreur ?|错误|エラー): ?",)),
    (r"'\1' undeclared", (r"'([^']+)' (?:nicht deklariert|undeclared ici|未声明)[^\n]*",)),
)

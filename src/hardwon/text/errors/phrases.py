"""Whole messages of git, bash, make and javac in other languages, as their catalogues have them.

A row is the English message and then what is said elsewhere. `{a}` and `{b}` stand for what the message is about.
Quotation marks are all written as ' and colons as the narrow one; a blank may be missing. Tables only; those of
PostgreSQL have a file of their own.
"""

from __future__ import annotations

from hardwon.text.errors.phrases_sql import POSTGRES

GIT: tuple[tuple[str, ...], ...] = (
    (
        "'{a}' is already checked out at '{b}'",
        "'{a}' ist bereits in '{b}' ausgecheckt",
        "'{a}' est déjà extrait dans '{b}'",
        "'{a}' 已经检出到 '{b}'",
        "'{a}' ya ha sido marcado en '{b}'",
    ),
    (
        "Unable to create '{a}.lock': ",
        "Konnte '{a}.lock' nicht erstellen: ",
        "Impossible de créer '{a}.lock': ",
        "不能创建 '{a}.lock': ",
        "无法创建 '{a}.lock': ",
        "No se pudo crear '{a}.lock': ",
    ),
    (
        "The following paths are ignored by one of your .gitignore files",
        "Die folgenden Pfade werden durch eine Ihrer '.gitignore' Dateien ignoriert",
        "Les chemins suivants sont ignorés par un de vos fichiers .gitignore",
        "下列路径根据您的一个 .gitignore 文件而被忽略",
        "Las siguientes rutas son ignoradas por uno de tus archivos .gitignore",
    ),
    (
        "invalid reference: {a}",
        "Ungültige Referenz: {a}",
        "référence invalide: {a}",
        "无效引用: {a}",
        "referencia inválida: {a}",
    ),
    (
        "pathspec '{a}' did not match any file(s) known to git",
        "Pfadspezifikation '{a}' stimmt mit keinen Git bekannten Dateien überein",
        "ruta especificada '{a}' no concordó con ningún archivo conocido por git",
    ),
    (
        "pathspec '{a}' did not match any files",
        "Pfadspezifikation '{a}' stimmt mit keinen Dateien überein",
        "le chemin '{a}' ne correspond à aucun fichier",
        "路径规格 '{a}' 未匹配任何文件",
        "ruta especificada '{a}' no concordó con ningún archivo",
    ),
    (
        "Need to specify how to reconcile divergent branches",
        "Es muss angegeben werden, wie mit abweichenden Branches umgegangen werden sollen",
        "Besoin de spécifier comment réconcilier des branches divergentes",
        "需要指定如何调和偏离的分支",
        "Necesita especificar cómo reconciliar las ramas divergentes",
    ),
    (
        "There is no tracking information for the current branch",
        "Es gibt keine Tracking-Informationen für den aktuellen Branch",
        "Pas d'information de suivi distant pour la branche actuelle",
        "当前分支没有跟踪信息",
        "No hay información de rastreo para la rama actual",
    ),
    (
        "The current branch {a} has no upstream branch",
        "Der aktuelle Branch {a} hat keinen Upstream-Branch",
        "La branche courante {a} n'a pas de branche amont",
        "当前分支 {a} 没有对应的上游分支",
        "La rama actual {a} no tiene una rama upstream",
    ),
    (
        "couldn't find remote ref {a}",
        "Konnte Remote-Referenz {a} nicht finden",
        "impossible de trouver la référence distante {a}",
        "无法找到远程引用 {a}",
        "no se pudo encontrar ref remota {a}",
    ),
    (
        "src refspec {a} does not match any",
        "Src-Refspec {a} entspricht keiner Referenz",
        "le spécificateur de référence source {a} ne correspond à aucune référence",
        "源引用规格 {a} 没有匹配",
        "src refspec {a} no concuerda con ninguno",
    ),
    (
        "destination path '{a}' already exists and is not an empty directory",
        "Zielpfad '{a}' existiert bereits und ist kein leeres Verzeichnis",
        "le chemin de destination '{a}' existe déjà et n'est pas un répertoire vide",
        "目标路径 '{a}' 已经存在, 并且不是一个空目录",
    ),
    (
        "branch '{a}' is not fully merged",
        "Branch '{a}' ist nicht vollständig zusammengeführt",
        "分支 '{a}' 没有完全合并",
    ),
    (
        "is not possible because you have unmerged files",
        "ist nicht möglich, weil Sie nicht zusammengeführte Dateien haben",
        ", 因为您有未合并的文件",
    ),
    (
        "You have unstaged changes",
        "Sie haben Änderungen, die nicht zum Commit",
        "vous avez des modifications non indexées",
        "您有未暂存的变更",
    ),
    (
        "'{a}' is not a git command",
        "'{a}' ist kein Git-Befehl",
        "'{a}' n'est pas une commande git",
        "'{a}' 不是一个 git 命令",
        "'{a}' no es un comando de git",
    ),
    (
        "tag '{a}' already exists",
        "Tag '{a}' existiert bereits",
        "l'étiquette '{a}' existe déjà",
    ),
    (
        "bad revision '{a}'",
        "ungültiger Commit '{a}'",
        "mauvaise révision '{a}'",
        "坏的版本 '{a}'",
    ),
    (
        "detected dubious ownership in repository at '{a}'",
        "dubiose Besitzverhältnisse im Repository bei '{a}' entdeckt",
        "propriétaire douteux détecté dans le dépôt à '{a}'",
        "在 '{a}' 检测到可疑的仓库所有权",
    ),
    (
        "Not possible to fast-forward, aborting",
        "Vorspulen nicht möglich, breche ab",
        "Pas possible d'avancer rapidement, abandon",
        "无法快进, 终止",
    ),
    (
        "refusing to merge unrelated histories",
        "verweigere den Merge von nicht zusammenhängenden Historien",
    ),
    ("Authentication failed for '{a}'", "'{a}' 鉴权失败"),
    ("transport '{a}' not allowed", "Übertragungsart '{a}' nicht erlaubt", "transport '{a}' non permis"),
    ("unable to access '{a}': ", "konnte nicht auf '{a}' zugreifen: ", "impossible d'accéder à '{a}': "),
)
SHELL: tuple[tuple[str, ...], ...] = (
    (
        "{a}: parameter null or not set",
        "{a}: Parameter ist leer oder nicht gesetzt",
        "{a}: paramètre vide ou non défini",
        "{a}: 参数为空或未设置",
        "{a}: パラメータが null または設定されていません",
    ),
    (
        "{a}: parameter not set",
        "{a}: Der Parameter ist nicht gesetzt",
        "{a}: paramètre non défini",
        "{a}: 参数未设置",
        "{a}: パラメータが設定されていません",
    ),
    ("{a}: unbound variable", "{a} ist nicht gesetzt", "{a}: variable sin asignar"),
    (
        "{a}: bad substitution",
        "{a}: Falsche Substitution",
        "{a}: mauvaise substitution",
        "{a}: 错误的替换",
        "{a}: 誤った代入です",
    ),
    (
        "{a}: readonly variable",
        "{a}: Schreibgeschützte Variable",
        "{a}: variable en lecture seule",
        "{a}: 只读变量",
        "{a}: 読み取り専用の変数です",
    ),
    (
        "{a}: ambiguous redirect",
        "{a}: Mehrdeutige Umlenkung",
        "{a}: redirection ambiguë",
        "{a}: 有歧义的重定向",
        "{a}: 曖昧なリダイレクトです",
    ),
    (
        "{a}: integer expression expected",
        "{a}: Ganzzahliger Ausdruck erwartet",
        "{a}: nombre entier attendu comme expression",
        "{a}: 需要整数表达式",
        "{a}: 整数の式が予期されます",
    ),
    (
        "{a}: unary operator expected",
        "{a}: Einstelliger (unärer) Operator erwartet",
        "{a}: opérateur unaire attendu",
        "{a}: 需要一元运算符",
        "{a}: 単項演算子が予期されます",
    ),
    (
        "{a}: bad interpreter",
        "{a}: Defekter Interpreter",
        "{a}: mauvais interpréteur",
        "{a}: 错误的解释器",
        "{a}: 誤ったインタプリタです",
        "{a}: intérprete erróneo",
    ),
    (
        "{a}: cannot execute: required file not found",
        "{a}: ne peut exécuter: le fichier requis n'a pas été trouvé",
        "{a}: 无法执行: 找不到需要的文件",
        "{a}: 実行できません: 必要なファイルがありません",
    ),
    (
        "syntax error: unexpected end of file",
        "構文エラー: 予期しないファイル終了 (EOF) です",
        "error sintáctico: no se esperaba el final del fichero",
    ),
    ("syntax error near unexpected token '{a}'", "error sintáctico cerca del elemento inesperado '{a}'"),
    ("missing separator", "Fehlender Trenner", "fehlender Trenner", "séparateur manquant", "缺失分隔符"),
    ("missing separator", "分隔符缺失", "分離記号を欠いています", "falta un separador"),
    (
        "No targets specified and no makefile found",
        "Es wurden keine Ziele angegeben und keine 'make'-Steuerdatei gefunden",
        "Pas de cible spécifiée et aucun makefile n'a été trouvé",
        "没有指明目标并且找不到 makefile",
        "ターゲットが指定されておらず, makefile も見つかりません",
    ),
    (
        "recipe commences before first target",
        "Rezept beginnt vor dem ersten Ziel",
        "La recette commence avant la première cible",
        "配方在第一个目标前开始",
        "最初のターゲットより前にレシピがあります",
    ),
    (
        "multiple target patterns",
        "Mehrfache Ziel-Muster",
        "motifs de cible multiples",
        "多个目标匹配",
        "複数のターゲットパターンです",
    ),
    ("missing 'endif'", "Fehlendes 'endif'", "'endif' manquant", "遗漏'endif'", "'endif'　が欠落しています"),
    (
        "No rule to make target '{a}', needed by '{b}'",
        "Keine Regel vorhanden, um das Ziel '{a}', benötigt von '{b}', zu erstellen",
        "'{b}' に必要なターゲット '{a}' を make するルールがありません",
        "No hay ninguna regla para construir el objetivo '{a}', necesario para '{b}'",
    ),
    (
        "No rule to make target '{a}'",
        "Keine Regel vorhanden, um das Ziel '{a}'",
        "No hay ninguna regla para construir el objetivo '{a}'",
    ),
    (".  Stop.", ". Schluss.", ". Arrêt.", "。 停止。", ". 中止."),
)
JAVA: tuple[tuple[str, ...], ...] = (
    ("cannot find symbol", "シンボルを見つけられません", "找不到符号"),
    ("symbol: variable {a}", "シンボル: 変数 {a}", "符号: 变量 {a}"),
    ("symbol: method {a}", "シンボル: メソッド {a}", "符号: 方法 {a}"),
    ("symbol: class {a}", "シンボル: クラス {a}", "符号: 类 {a}"),
    ("package {a} does not exist", "パッケージ{a}は存在しません", "程序包{a}不存在"),
    ("incompatible types: ", "不適合な型: ", "不兼容的类型: "),
    (
        "possible lossy conversion from {a} to {b}",
        "精度が失われる可能性がある{a}から{b}への変換",
        "从{a}转换到{b}可能会有损失",
    ),
    ("{a} cannot be converted to {b}", "{a}を{b}に変換できません:", "{a}を{b}に変換できません", "{a}无法转换为{b}"),
    (
        "unreported exception {a}; must be caught or declared to be thrown",
        "例外{a}は報告されません。スローするには、捕捉または宣言する必要があります",
        "未报告的异常错误{a}; 必须对其进行捕获或声明以便抛出",
    ),
    ("missing return statement", "return文が指定されていません", "缺少返回语句"),
    (
        "variable {a} might not have been initialized",
        "変数{a}は初期化されていない可能性があります",
        "可能尚未初始化变量{a}",
    ),
    ("illegal start of expression", "式の開始が不正です", "非法的表达式开始"),
    ("illegal start of type", "型の開始が不正です", "非法的类型开始"),
    ("not a statement", "文ではありません", "不是语句"),
    ("reached end of file while parsing", "構文解析中にファイルの終わりに移りました", "进行语法分析时已到达文件结尾"),
    ("unclosed string literal", "文字列リテラルが閉じられていません", "未结束的字符串文字"),
    (
        "method does not override or implement a method from a supertype",
        "メソッドはスーパータイプのメソッドをオーバーライドまたは実装しません",
        "方法不会覆盖或实现超类型的方法",
    ),
    ("'{a}' expected", "'{a}'がありません", "需要'{a}'"),
)
PHRASES: tuple[tuple[str, ...], ...] = GIT + SHELL + JAVA + POSTGRES

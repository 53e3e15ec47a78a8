import Offstage
